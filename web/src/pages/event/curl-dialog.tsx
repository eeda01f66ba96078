/** The same request as a line for a shell. */
import { Button } from '@mantine/core'
import { useEventCurl } from '../../api/events.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import dialog from '../../parts/dialog.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'

interface CurlDialogProps {
  eventId: string
  hookId: number
  close: () => void
}

export function CurlDialog({ eventId, hookId, close }: CurlDialogProps) {
  const { mutate, data, error, isPending } = useEventCurl(eventId)
  return (
    <Dialog title="The request as a curl line" close={close} size="lg">
      <div className={dialog.body}>
        <p>
          Sends from your machine what webhook {hookId} would get now, to see how your server takes it. It
          holds the numbers and texts of the event; that you asked for it is kept in the audit log.
        </p>
        <FailureNote error={error} isChange={false} />
        {data === undefined ? (
          <div className={dialog.actions}>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button loading={isPending} onClick={() => mutate(hookId)} data-autofocus>
              Show the line
            </Button>
          </div>
        ) : (
          <CodeBlock what="command" text={data.curl} />
        )}
      </div>
    </Dialog>
  )
}
