/** A failure where it happened: in a form, a dialog, beside the button that was pressed. */
import { failureWords } from '../words/failure.ts'
import { Notice } from './notice.tsx'
import { RequestId } from './request-id.tsx'

export function FailureNote({ error, isChange = true }: { error: unknown; isChange?: boolean }) {
  if (error === null || error === undefined) return null
  const { title, advice, requestId } = failureWords(error, isChange)
  return (
    <Notice tone="bad" role="alert" title={title}>
      {advice}
      {requestId !== undefined && <RequestId id={requestId} />}
    </Notice>
  )
}
