/** Starts receivers in a separate process and sends commands to them. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Responses, Behavior, NumberedResponse, NumberedCommand, Command } from './receiver-commands.ts'
import type { RequestColumns } from './request-log.ts'

export interface Receivers {
  /** Opens hosts and returns their URLs. */
  listen: (firstAddress: string, hosts: number) => Promise<string[]>
  listenBlackHole: (address: string) => Promise<string[]>
  /** Returns the time at which the change took effect, as `refuse` does. */
  behave: (behavior: Behavior) => Promise<number>
  refuse: (isRefusing: boolean) => Promise<number>
  count: () => Promise<number>
  report: () => Promise<RequestColumns>
  close: () => Promise<void>
}

const file = fileURLToPath(new URL('receiver-process.ts', import.meta.url))

export function startReceivers(): Receivers {
  // Advanced serialization transfers typed arrays as bytes.
  const child = fork(file, { serialization: 'advanced' })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.once('exit', () => {
    for (const [number, settle] of pending) settle({ number, error: 'the receiver process exited' })
  })
  const pending = new Map<number, (response: NumberedResponse) => void>()
  let commands = 0
  child.on('message', (response: NumberedResponse) => {
    pending.get(response.number)?.(response)
    pending.delete(response.number)
  })

  async function send<Name extends keyof Responses>(
    command: Command & { name: Name },
  ): Promise<Responses[Name]> {
    const number = ++commands
    const response = new Promise<NumberedResponse>((resolve) => pending.set(number, resolve))
    child.send({ number, command } satisfies NumberedCommand)
    const { result, error } = await response
    if (error !== undefined) throw new Error(`receivers, ${command.name}: ${error}`)
    return result as Responses[Name]
  }

  return {
    listen: (firstAddress, hosts) => send({ name: 'listen', firstAddress, hosts }),
    listenBlackHole: (address) => send({ name: 'listen black hole', address }),
    behave: (behavior) => send({ name: 'behave', behavior }),
    refuse: (isRefusing) => send({ name: 'refuse', isRefusing }),
    count: () => send({ name: 'count' }),
    report: () => send({ name: 'report' }),
    async close() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
