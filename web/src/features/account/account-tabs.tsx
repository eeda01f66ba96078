import { LinkTabs } from '../../ui/layout/link-tabs.tsx'
import { TabLink } from '../../ui/layout/links.tsx'

export function AccountTabs({ current }: { current: 'account' | 'audit' }) {
  return (
    <LinkTabs label="Account">
      <TabLink to="/account" isCurrent={current === 'account'}>
        Profile and security
      </TabLink>
      <TabLink to="/account/audit" isCurrent={current === 'audit'}>
        Audit log
      </TabLink>
    </LinkTabs>
  )
}
