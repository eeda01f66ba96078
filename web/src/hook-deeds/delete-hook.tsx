/** Asks before a webhook ends. */
import type { HookWithHealth } from '../api/shapes.ts'
import { useDeleteHook } from '../api/hooks.ts'
import { ConfirmDanger } from '../parts/confirm-danger.tsx'
import { Mono } from '../parts/mono.tsx'
import { say } from '../parts/say.ts'
import { counted } from '../words/count.ts'

interface DeleteHookProps {
  of: HookWithHealth
  close: () => void
  whenDeleted?: () => void
}

export function DeleteHook({ of: { hook, health }, close, whenDeleted }: DeleteHookProps) {
  const remove = useDeleteHook()
  const open = health.waiting + health.held
  return (
    <ConfirmDanger
      title={`Delete webhook ${hook.id}?`}
      action="Delete the webhook"
      act={async () => {
        await remove.mutateAsync(hook)
        say(`Webhook ${hook.id} is deleted.`)
        whenDeleted?.()
      }}
      close={close}
    >
      <p>
        <Mono text={hook.target_url} />
      </p>
      <p>
        It gets nothing more, within a second.{' '}
        {open > 0 &&
          `${counted(open, 'delivery that is', 'deliveries that are')} not made yet will be cancelled. `}
        What was sent to it stays in the events. To stop it for a while, disable it instead: it holds its
        events then.
      </p>
    </ConfirmDanger>
  )
}
