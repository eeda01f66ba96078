/** BullMQ on a Redis that writes every command to disk before it responds. */
import { Queue } from 'bullmq'
import type { Server } from '../../support/servers.ts'
import type { System } from './system.ts'
import { jobQueueSystem } from './job-queue.ts'

export const queueName = 'messages'

export function bullmqSystem(redis: Server, receiverUrl: string): System {
  return jobQueueSystem({
    name: 'bullmq',
    label: 'BullMQ',
    workerFile: new URL('./bullmq-worker.ts', import.meta.url),
    queueUrl: redis.url,
    receiverUrl,
    server: { name: 'Redis', pid: redis.pid },
    async open() {
      const queue = new Queue(queueName, {
        connection: { url: redis.url },
        defaultJobOptions: { removeOnComplete: true },
      })
      await queue.waitUntilReady()
      return {
        storage: { folder: redis.folder },
        addAll: (messages) => queue.addBulk(messages.map((data) => ({ name: 'post', data }))),
        isEmpty: async () => (await queue.getJobCountByTypes('waiting', 'active')) === 0,
        close: () => queue.close(),
      }
    },
  })
}
