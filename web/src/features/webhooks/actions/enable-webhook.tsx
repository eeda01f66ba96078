/** Enables a webhook. The user chooses to deliver or drop events on hold. */
import { Button, Radio } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { HookWithHealth } from '../../../api/types.ts'
import { useEnableWebhook } from '../../../api/webhooks.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import dialog from '../../../ui/feedback/dialog.module.css'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { plural } from '../../../lib/format-number.ts'
import { webhookName } from '../../../messages/webhook-name.ts'
import { enabledMessage } from './enabled-message.ts'

interface EnableWebhookProps {
  webhook: HookWithHealth
  close: () => void
}

export function EnableWebhook({ webhook: { hook, health }, close }: EnableWebhookProps) {
  const enable = useEnableWebhook({ done: (values, response) => toast(enabledMessage(values, response)) })
  const navigate = useNavigate()
  const [held, setHeld] = useState<'deliver' | 'drop'>('deliver')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enable.mutate(
      { id: hook.id, held },
      {
        onSuccess({ replay_id: replay }) {
          close()
          if (replay !== null) void navigate({ to: '/replays/$id', params: { id: String(replay) } })
        },
      },
    )
  }
  return (
    <Dialog title={`Enable ${webhookName(hook)}`} close={close} isBusy={enable.isPending}>
      <form className={dialog.body} onSubmit={submit}>
        {health.held === 0 ? (
          <p>No events on hold. Deliveries start with the next matching event.</p>
        ) : (
          <Radio.Group
            label={`${plural(health.held, 'event')} on hold`}
            value={held}
            onChange={(value) => setHeld(value === 'drop' ? 'drop' : 'deliver')}
          >
            <div className={dialog.body}>
              <Radio
                mt="xs"
                value="deliver"
                label={`Deliver ${health.held === 1 ? 'event' : 'events'}`}
                description="Oldest first, rate limited. You can pause the replay."
              />
              <Radio
                value="drop"
                label={`Drop ${health.held === 1 ? 'event' : 'events'}`}
                description="Marked as canceled. You can still replay them from Events."
              />
            </div>
          </Radio.Group>
        )}
        <ErrorNotice error={enable.error} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={enable.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={enable.isPending}>
            Enable webhook
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
