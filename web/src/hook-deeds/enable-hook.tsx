/** Enabling a webhook again; if it holds events, its owner says what becomes of them. */
import { Button, Radio } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { HookWithHealth } from '../api/shapes.ts'
import { useEnableHook } from '../api/hooks.ts'
import { Dialog } from '../parts/dialog.tsx'
import dialog from '../parts/dialog.module.css'
import { FailureNote } from '../parts/failure-note.tsx'
import { say } from '../parts/say.ts'
import { counted } from '../words/count.ts'
import { enabledWords } from './enabled-words.ts'

export function EnableHook({ of: { hook, health }, close }: { of: HookWithHealth; close: () => void }) {
  const enable = useEnableHook({ done: (values, answer) => say(enabledWords(values, answer)) })
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
    <Dialog title={`Enable webhook ${hook.id}`} close={close} isBusy={enable.isPending}>
      <form className={dialog.body} onSubmit={submit}>
        {health.held === 0 ? (
          <p>Nothing was held for it. From now on it gets every event that it wants.</p>
        ) : (
          <Radio.Group
            label={`While it was disabled, ${counted(health.held, 'event was', 'events were')} held for it.`}
            value={held}
            onChange={(value) => setHeld(value === 'drop' ? 'drop' : 'deliver')}
          >
            <div className={dialog.body}>
              <Radio
                mt="xs"
                value="deliver"
                label={`Deliver ${health.held === 1 ? 'it' : 'them'}`}
                description="Oldest first, at a pace that your server can bear; you can pause it."
              />
              <Radio
                value="drop"
                label={`Drop ${health.held === 1 ? 'it' : 'them'}`}
                description="They are marked as cancelled. You can still send them again from the events."
              />
            </div>
          </Radio.Group>
        )}
        <FailureNote error={enable.error} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={enable.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={enable.isPending}>
            Enable
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
