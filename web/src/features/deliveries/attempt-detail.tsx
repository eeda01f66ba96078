/** Shows one attempt: hint, timing, request and response. */
import type { Attempt } from '../../api/types.ts'
import { parseHeaders } from '../../lib/parse-headers.ts'
import { hintFor } from '../../messages/attempts.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { HttpMessage } from './http-message.tsx'
import styles from './attempt-detail.module.css'
import { Waterfall } from './waterfall.tsx'

export function AttemptDetail({ attempt }: { attempt: Attempt }) {
  const { phases, reason, request, response, status } = attempt
  const hint = hintFor(reason, status)
  return (
    <div className={styles.detail}>
      {hint !== null && <Notice tone="warning" title={hint} />}
      <Waterfall phases={phases} />
      <div className={styles.columns}>
        {request === null ? (
          <p className={styles.empty}>No request was sent</p>
        ) : (
          <HttpMessage
            title="Request"
            line={`${request.method} ${request.url}`}
            headers={request.headers}
            body={request.body}
            noBody="No body: GET requests carry the data in the URL."
            note={request.truncated ? 'Request fields are omitted to limit the page size.' : undefined}
          />
        )}
        {response === null ? (
          <p className={styles.empty}>No response received</p>
        ) : (
          <HttpMessage
            title="Response"
            line={`Status ${status ?? 'unknown'}`}
            headers={parseHeaders(response.headers)}
            body={response.body}
            noBody={response.is_text ? 'No body' : 'Binary body, not shown'}
            note={response.truncated ? 'Only the start of the body is stored.' : undefined}
          />
        )}
      </div>
    </div>
  )
}
