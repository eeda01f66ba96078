/** The built-in test receiver: its URL and the requests that arrived. */
import { Skeleton } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type TestRequest, testReceiverQuery } from '../../../api/onboarding.ts'
import { webhooksQuery } from '../../../api/webhooks.ts'
import { formatNumber } from '../../../lib/format-number.ts'
import { webhookName } from '../../../messages/webhook-name.ts'
import { CodeBlock } from '../../../ui/data/code-block.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { ButtonLink, TextLink } from '../../../ui/layout/links.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import { HttpMessage } from '../../deliveries/http-message.tsx'
import styles from './test-receiver.module.css'

export function TestReceiverPage() {
  const receiver = useQuery(testReceiverQuery)
  const hasWebhook = useQuery(webhooksQuery).data?.some(({ hook }) => hook.target_url === receiver.data?.url)
  return (
    <>
      <TextLink to="/webhooks" className={styles.back}>
        ← All webhooks
      </TextLink>
      <PageHeader
        title="Test receiver"
        description="Shows what your webhooks send, without a server of your own"
      />
      {receiver.data === undefined && receiver.isPending && <Skeleton height={240} />}
      {receiver.data === undefined && receiver.isError && (
        <Panel>
          <ErrorState error={receiver.error} retry={() => void receiver.refetch()} />
        </Panel>
      )}
      {receiver.data !== undefined && (
        <>
          <Panel
            title="Endpoint URL"
            description="For webhooks of this account only"
            actions={hasWebhook === false && <ButtonLink to="/webhooks/new">New webhook</ButtonLink>}
          >
            <div className={styles.url}>
              <CodeBlock label="URL" text={receiver.data.url} />
            </div>
          </Panel>
          <Panel
            title="Requests"
            description="The last 50 of the last 24 hours, newest first. Values of your own headers are masked."
          >
            {receiver.data.requests.length === 0 ? (
              <EmptyState icon={<IconInbox size={28} stroke={1.5} />} title="No requests yet">
                Send a test event to a webhook with this URL. The request appears here within seconds.
              </EmptyState>
            ) : (
              <ol className={styles.requests} aria-label="Requests">
                {receiver.data.requests.map((request, index) => (
                  <Request key={request.id} request={request} isInitiallyOpen={index === 0} />
                ))}
              </ol>
            )}
          </Panel>
        </>
      )}
    </>
  )
}

function Request({ request, isInitiallyOpen }: { request: TestRequest; isInitiallyOpen: boolean }) {
  const { method, headers, content, content_bytes: bytes, hook_id: hookId, event_id: eventId } = request
  return (
    <li className={styles.request}>
      <div className={styles.head}>
        <StateBadge tone="success" label="Signature valid" />
        <span>
          {request.is_test ? 'Test event' : 'Event'} from{' '}
          <TextLink to="/webhooks/$id" params={{ id: String(hookId) }}>
            <bdi>{webhookName(request.webhook)}</bdi>
          </TextLink>
        </span>
        <span className={styles.muted}>
          <RelativeTime at={request.received_at} />
        </span>
      </div>
      <Disclosure summary="Request" isInitiallyOpen={isInitiallyOpen}>
        <HttpMessage
          title="Request"
          line={`${method} ${method === 'GET' ? 'with a query' : 'with a body'} of ${formatNumber(bytes)} bytes`}
          headers={headers}
          body={content}
          noBody="Not stored: only test events are shown in full."
          note={request.is_truncated ? 'Only the first 32 KiB are stored.' : undefined}
        />
      </Disclosure>
      <Disclosure summary="How the signature was verified">
        <div className={styles.verification}>
          <p>
            The test receiver computed HMAC-SHA256 over <code>webhook-id.webhook-timestamp.body</code> with
            the signing secret of the webhook, and compared the result with <code>webhook-signature</code>. It
            rejects requests with another signature, so none is listed here. Your server must do the same.
          </p>
          <p>
            <TextLink to="/webhooks/$id" params={{ id: String(hookId) }}>
              View signing secret and code
            </TextLink>{' '}
            ·{' '}
            <TextLink to="/events/$id" params={{ id: eventId }}>
              View event
            </TextLink>
          </p>
        </div>
      </Disclosure>
    </li>
  )
}
