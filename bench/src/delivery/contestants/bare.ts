/** The limit: a loop that posts messages made and signed beforehand, and does nothing else. */
import { startAssistant } from '../child.ts'
import type { Contestant } from './contestant.ts'

export function bareContestant(receiverUrl: string): Contestant {
  return {
    name: 'bare',
    label: 'bare loop',
    async start() {
      const file = new URL('./bare-process.ts', import.meta.url)
      const sender = await startAssistant(file, { url: receiverUrl })
      return {
        groups: [{ name: 'worker', pid: sender.pid }],
        storage: {},
        async prepare(count) {
          const { ids } = await sender.ask<{ ids: string[] }>({ prepare: count })
          return async () => {
            await sender.ask({})
            return ids
          }
        },
        isSettled: () => Promise.resolve(true),
        stop: sender.stop,
      }
    },
  }
}
