/** Inline error of a form, dialog or button. */
import { describeError } from '../../messages/errors.ts'
import { Notice } from './notice.tsx'
import { RequestId } from './request-id.tsx'

export function ErrorNotice({ error, isChange = true }: { error: unknown; isChange?: boolean }) {
  if (error === null || error === undefined) return null
  const { title, hint, requestId } = describeError(error, isChange)
  return (
    <Notice tone="danger" role="alert" title={title}>
      {hint}
      {requestId !== undefined && <RequestId id={requestId} />}
    </Notice>
  )
}
