/**
 * Runs a job queue: a queue that stores messages and a worker process that posts them. Unlike Hookline, a job queue
 * does not validate or match events, sign messages (they are signed in advance) or record attempts.
 */
import { startChild } from '../../support/child-process.ts'
import type { ProcessGroup } from '../cpu.ts'
import { type Message, signedMessage } from '../message.ts'
import type { Storage } from '../storage.ts'
import type { System } from './system.ts'

interface JobQueue {
  name: string
  label: string
  workerFile: URL
  /** URL by which the worker reaches the queue. */
  queueUrl: string
  receiverUrl: string
  server: ProcessGroup
  open: () => Promise<OpenJobQueue>
}

interface OpenJobQueue {
  storage: Storage
  addAll: (messages: readonly Message[]) => Promise<unknown>
  isEmpty: () => Promise<boolean>
  close: () => Promise<unknown>
}

const messagesPerCall = 250
const concurrentCalls = 4

export function jobQueueSystem(jobQueue: JobQueue): System {
  return {
    name: jobQueue.name,
    label: jobQueue.label,
    async start() {
      const { queueUrl, receiverUrl } = jobQueue
      // Opening the queue creates the schema that the worker needs.
      const queue = await jobQueue.open()
      const worker = await startChild(jobQueue.workerFile, { queueUrl, receiverUrl })
      return {
        groups: [{ name: 'worker', pid: worker.pid }, jobQueue.server],
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

async function addInCalls(queue: OpenJobQueue, messages: readonly Message[]): Promise<void> {
  let next = 0
  const addNext = async (): Promise<void> => {
    while (next < messages.length) {
      const first = next
      next += messagesPerCall
      await queue.addAll(messages.slice(first, next))
    }
  }
  await Promise.all(Array.from({ length: concurrentCalls }, addNext))
}

interface WorkerSettings {
  queueUrl: string
  receiverUrl: string
}

export function workerSettings(): WorkerSettings {
  return JSON.parse(process.argv[2] ?? '{}') as WorkerSettings
}
