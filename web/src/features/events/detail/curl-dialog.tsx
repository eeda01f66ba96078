/** Shows the request as a cURL command. */
import { Button } from '@mantine/core'
import { useEventCurl } from '../../../api/events.ts'
import { CodeBlock } from '../../../ui/data/code-block.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import dialog from '../../../ui/feedback/dialog.module.css'
import { useRevealReason } from '../reveal-reason.tsx'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'

interface CurlDialogProps {
  eventId: string
  hookId: number
  close: () => void
}

export function CurlDialog({ eventId, hookId, close }: CurlDialogProps) {
  const { mutate, data, error, isPending } = useEventCurl(eventId)
  const { reason, isMissing, field } = useRevealReason()
  return (
    <Dialog title="Copy as cURL" close={close} size="lg">
      <div className={dialog.body}>
        <p>
          The command sends the current request of the webhook from your machine. It contains personal data,
          so the audit log records your access.
        </p>
        {data === undefined && field}
        <ErrorNotice error={error} isChange={false} />
        {data === undefined ? (
          <div className={dialog.actions}>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              loading={isPending}
              disabled={isMissing}
              onClick={() => mutate({ hookId, reason })}
              data-autofocus
            >
              Show command
            </Button>
          </div>
        ) : (
          <CodeBlock label="command" text={data.curl} />
        )}
      </div>
    </Dialog>
  )
}
