/** The upper limit: a loop that only posts messages that were built and signed in advance. */
import { startChild } from '../../support/child-process.ts'
import type { System } from './system.ts'

export function bareSystem(receiverUrl: string): System {
  return {
    name: 'bare',
    label: 'bare loop',
    async start() {
      const file = new URL('./bare-process.ts', import.meta.url)
      const sender = await startChild(file, { url: receiverUrl })
      return {
        groups: [{ name: 'worker', pid: sender.pid }],
        storage: {},
        async prepare(count) {
          const { ids } = await sender.request<{ ids: string[] }>({ prepare: count })
          return async () => {
            await sender.request({})
            return ids
          }
        },
        isSettled: () => Promise.resolve(true),
        stop: sender.stop,
      }
    },
  }
}
