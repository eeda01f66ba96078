/** List of all guides. Also shown for an unknown guide. */
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/client.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { TextLink } from '../../ui/layout/links.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { guideNames, guides } from './guides.ts'
import styles from './guides.module.css'

export function GuidesPage({ isUnknown = false }: { isUnknown?: boolean }) {
  const isSignedIn = useQuery(sessionQuery).data != null
  return (
    <>
      <PageHeader title="Guides" description="How to receive and verify webhooks" />
      {isUnknown && <Notice tone="warning" title="This guide does not exist. Choose one below." />}
      <Panel isFlush>
        <ul className={styles.guides}>
          <li>
            <TextLink to="/guides/payloads">Payloads</TextLink>
            <p>
              The fields of every event type, with a sample in each request format.
              {!isSignedIn && ' Needs a session, because event types belong to the installation.'}
            </p>
          </li>
          {guideNames.map((guide) => (
            <li key={guide}>
              <TextLink to="/guides/$guide" params={{ guide }}>
                {guides[guide].title}
              </TextLink>
              <p>{guides[guide].description}</p>
            </li>
          ))}
          <li>
            <a href="/docs">API reference</a>
            <p>Every call of the API, and the requests that webhooks receive.</p>
          </li>
        </ul>
      </Panel>
    </>
  )
}
