/** Disabling is shown at once and can be taken back, so nobody is asked first. */
import { Anchor } from '@mantine/core'
import type { Hook } from '../api/shapes.ts'
import { useDisableHook, useEnableHook } from '../api/hooks.ts'
import { focusHeading } from '../parts/focus-heading.ts'
import { offer, say } from '../parts/say.ts'
import { counted } from '../words/count.ts'
import { failureWords } from '../words/failure.ts'
import { enabledWords } from './enabled-words.ts'

export function useDisable(): (hook: Hook) => void {
  const enable = useEnableHook({
    done: (values, answer) => say(enabledWords(values, answer)),
    failed: ({ id }, error) =>
      say(`Webhook ${id} is still disabled: ${failureWords(error, true).title}`, 'bad'),
  })
  const disable = useDisableHook({
    done: ({ id }, { waiting }) =>
      offer((close) => (
        <Undoable
          close={close}
          words={`Webhook ${id} is disabled. ${
            waiting === 0
              ? 'Events for it are held from now on.'
              : `${counted(waiting, 'waiting delivery is', 'waiting deliveries are')} held until you enable it.`
          }`}
          undo={() => enable.mutate({ id, held: 'deliver' })}
        />
      )),
    failed: ({ id }, error) =>
      say(`Webhook ${id} is still enabled: ${failureWords(error, true).title}`, 'bad'),
  })
  return (hook) => disable.mutate(hook)
}

interface UndoableProps {
  words: string
  undo: () => void
  close: () => void
}

function Undoable({ words, undo, close }: UndoableProps) {
  return (
    <>
      {words}{' '}
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
