/** BullMQ on a Redis that writes every command to disk before it answers. */
import { Queue } from 'bullmq'
import type { Server } from '../servers.ts'
import type { Contestant } from './contestant.ts'
import { rivalContestant } from './rival.ts'

export const queueName = 'messages'

export function bullmqContestant(redis: Server, receiverUrl: string): Contestant {
  return rivalContestant({
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
