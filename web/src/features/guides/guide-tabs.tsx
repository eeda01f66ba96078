import { LinkTabs } from '../../ui/layout/link-tabs.tsx'
import { TabLink } from '../../ui/layout/links.tsx'
import { type GuideName, guideNames, guides } from './guides.ts'

export function GuideTabs({ current }: { current: GuideName | 'payloads' }) {
  return (
    <LinkTabs label="Guides">
      <TabLink to="/guides/payloads" isCurrent={current === 'payloads'}>
        Payloads
      </TabLink>
      {guideNames.map((guide) => (
        <TabLink key={guide} to="/guides/$guide" params={{ guide }} isCurrent={guide === current}>
          {guides[guide].title}
        </TabLink>
      ))}
    </LinkTabs>
  )
}
