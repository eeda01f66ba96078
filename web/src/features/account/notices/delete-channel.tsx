import { type Channel, useDeleteChannel } from '../../../api/notices.ts'
import { ConfirmDanger } from '../../../ui/feedback/confirm-danger.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

export function DeleteChannel({ channel, close }: { channel: Channel; close: () => void }) {
  const remove = useDeleteChannel(channel)
  return (
    <ConfirmDanger
      title={`Delete ${channel.name}?`}
      action="Delete channel"
      act={async () => {
        await remove.mutateAsync()
        toast('Channel deleted')
      }}
      close={close}
    >
      It gets no more notices. Queued messages to it are not sent.
    </ConfirmDanger>
  )
}
