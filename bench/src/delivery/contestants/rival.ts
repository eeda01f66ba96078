/**
 * What the rivals have in common: a queue that keeps messages and a worker process that posts them. They do nothing else:
 * no events are judged, nothing is matched or signed (the messages are signed beforehand), no attempt is written down.
 */
import { startAssistant } from '../child.ts'
import type { ProcessGroup } from '../cpu.ts'
import { type Message, signedMessage } from '../message.ts'
import type { Storage } from '../storage.ts'
import type { Contestant } from './contestant.ts'

interface Rival {
  name: string
  label: string
  workerFile: URL
  /** Of the queue, for the worker. */
  queueUrl: string
  receiverUrl: string
  server: ProcessGroup
  open: () => Promise<RivalQueue>
}

interface RivalQueue {
  storage: Storage
  addAll: (messages: readonly Message[]) => Promise<unknown>
  isEmpty: () => Promise<boolean>
  close: () => Promise<unknown>
}

const messagesACall = 250
const callsAtOnce = 4

export function rivalContestant(rival: Rival): Contestant {
  return {
    name: rival.name,
    label: rival.label,
    async start() {
      const { queueUrl, receiverUrl } = rival
      // Opening it makes what the worker needs.
      const queue = await rival.open()
      const worker = await startAssistant(rival.workerFile, { queueUrl, receiverUrl })
      return {
        groups: [{ name: 'worker', pid: worker.pid }, rival.server],
        storage: queue.storage,
        prepare(count) {
          const messages = Array.from({ length: count }, () => signedMessage(receiverUrl))
          return Promise.resolve(async () => {
            await addInCalls(queue, messages)
            return messages.map(({ id }) => id)
          })
        },
        isSettled: queue.isEmpty,
        async stop() {
          await worker.stop()
          await queue.close()
        },
      }
    },
  }
}

async function addInCalls(queue: RivalQueue, messages: readonly Message[]): Promise<void> {
  let next = 0
  const addNext = async (): Promise<void> => {
    while (next < messages.length) {
      const first = next
      next += messagesACall
      await queue.addAll(messages.slice(first, next))
    }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, addNext))
}

interface WorkerSettings {
  queueUrl: string
  receiverUrl: string
}

export function workerSettings(): WorkerSettings {
  return JSON.parse(process.argv[2] ?? '{}') as WorkerSettings
}
