/** Starts receivers in a process of their own and hands orders to them. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answers, Behaviour, NumberedAnswer, NumberedOrder, Order } from './receiver-orders.ts'
import type { RequestColumns } from './request-log.ts'

export interface Receivers {
  /** Opens so many hosts and answers their addresses. */
  listen: (firstAddress: string, hosts: number) => Promise<string[]>
  listenDeaf: (address: string) => Promise<string[]>
  /** Answers when it took effect, as `refuse` does. */
  behave: (behaviour: Behaviour) => Promise<number>
  refuse: (isRefusing: boolean) => Promise<number>
  count: () => Promise<number>
  report: () => Promise<RequestColumns>
  close: () => Promise<void>
}

const file = fileURLToPath(new URL('receiver-process.ts', import.meta.url))

export function startReceivers(): Receivers {
  // Advanced: columns of numbers travel as bytes.
  const child = fork(file, { serialization: 'advanced' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.once('exit', () => {
    for (const [number, settle] of waiting) settle({ number, error: 'the receivers ended' })
  })
  const waiting = new Map<number, (answer: NumberedAnswer) => void>()
  let orders = 0
  child.on('message', (answer: NumberedAnswer) => {
    waiting.get(answer.number)?.(answer)
    waiting.delete(answer.number)
  })

  async function give<Name extends keyof Answers>(order: Order & { order: Name }): Promise<Answers[Name]> {
    const number = ++orders
    const answered = new Promise<NumberedAnswer>((resolve) => waiting.set(number, resolve))
    child.send({ number, order } satisfies NumberedOrder)
    const { answer, error } = await answered
    if (error !== undefined) throw new Error(`receivers, ${order.order}: ${error}`)
    return answer as Answers[Name]
  }

  return {
    listen: (firstAddress, hosts) => give({ order: 'listen', firstAddress, hosts }),
    listenDeaf: (address) => give({ order: 'listen deaf', address }),
    behave: (behaviour) => give({ order: 'behave', behaviour }),
    refuse: (isRefusing) => give({ order: 'refuse', isRefusing }),
    count: () => give({ order: 'count' }),
    report: () => give({ order: 'report' }),
    async close() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
