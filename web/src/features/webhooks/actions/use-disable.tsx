/** Disables a webhook optimistically. The toast offers an undo, so no confirmation is needed. */
import { Anchor } from '@mantine/core'
import type { Hook } from '../../../api/types.ts'
import { useDisableWebhook, useEnableWebhook } from '../../../api/webhooks.ts'
import { focusHeading } from '../../../lib/focus-heading.ts'
import { toastWithAction, toast } from '../../../ui/feedback/toast.ts'
import { plural } from '../../../lib/format-number.ts'
import { describeError } from '../../../messages/errors.ts'
import { webhookName } from '../../../messages/webhook-name.ts'
import { enabledMessage } from './enabled-message.ts'

export function useDisable(): (hook: Hook) => void {
  const enable = useEnableWebhook({
    done: (values, response) => toast(enabledMessage(values, response)),
    failed: (_values, error) =>
      toast(`Failed to enable the webhook: ${describeError(error, true).title}`, 'danger'),
  })
  const disable = useDisableWebhook({
    done: ({ id }, { hook, waiting }) =>
      toastWithAction((close) => (
        <UndoToast
          close={close}
          text={`${webhookName(hook)} disabled, ${
            waiting === 0 ? 'new events are held' : `${plural(waiting, 'delivery', 'deliveries')} on hold`
          }`}
          undo={() => enable.mutate({ id, held: 'deliver' })}
        />
      )),
    failed: (hook, error) =>
      toast(`Failed to disable ${webhookName(hook)}: ${describeError(error, true).title}`, 'danger'),
  })
  return (hook) => disable.mutate(hook)
}

interface UndoToastProps {
  text: string
  undo: () => void
  close: () => void
}

function UndoToast({ text, undo, close }: UndoToastProps) {
  return (
    <>
      {text}{' '}
      <Anchor
        component="button"
        type="button"
        onClick={() => {
          undo()
          close()
          focusHeading()
        }}
      >
        Undo
      </Anchor>
    </>
  )
}
