/** Disabling is shown at once and can be taken back, so nobody is asked first. */
import type { Hook } from '../api/shapes.ts'
import { useDisableHook } from '../api/hooks.ts'
import { say } from '../parts/say.ts'
import { counted } from '../words/count.ts'
import { failureWords } from '../words/failure.ts'

export function useDisable(): (hook: Hook) => void {
  const disable = useDisableHook()
  return (hook) =>
    disable.mutate(hook, {
      onSuccess: ({ waiting }) =>
        say(
          `Webhook ${hook.id} is disabled. ${
            waiting === 0
              ? 'Events for it are held from now on.'
              : `${counted(waiting, 'waiting delivery is', 'waiting deliveries are')} held until you enable it.`
          }`,
        ),
      onError: (error) =>
        say(`Webhook ${hook.id} is still enabled: ${failureWords(error, true).title}`, 'bad'),
    })
}
