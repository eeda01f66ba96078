/** One attempt from within: where the time went, what was sent, what came back, what to do about it. */
import type { Attempt } from '../api/shapes.ts'
import { parseHeaders } from '../words/headers.ts'
import { Notice } from './notice.tsx'
import { RawText } from './raw-text.tsx'
import styles from './attempt-detail.module.css'
import { Waterfall } from './waterfall.tsx'

export function AttemptDetail({ attempt }: { attempt: Attempt }) {
  const { phases, advice, request, answer, status } = attempt
  return (
    <div className={styles.detail}>
      {advice !== null && <Notice tone="attention" title={advice} />}
      <Waterfall phases={phases} />
      <div className={styles.sides}>
        {request === null ? (
          <p className={styles.none}>Nothing was sent.</p>
        ) : (
          <RawText
            title="Request"
            line={`${request.method} ${request.url}`}
            headers={request.headers}
            body={request.body}
            noBody="No body: a GET carries everything in its address."
            note={
              request.truncated ? 'The fields of this request are not shown: the page is full.' : undefined
            }
          />
        )}
        {answer === null ? (
          <p className={styles.none}>No answer came.</p>
        ) : (
          <RawText
            title="Answer"
            line={`Status ${status ?? 'unknown'}`}
            headers={parseHeaders(answer.headers)}
            body={answer.body}
            noBody={answer.is_text ? 'The answer had no body.' : 'The body is not text, so it is not shown.'}
            note={answer.truncated ? 'Only the beginning of the body is kept.' : undefined}
          />
        )}
      </div>
    </div>
  )
}
