import { PgBoss } from 'pg-boss'
import type { Message } from '../message.ts'
import { queueName } from './pg-boss.ts'
import { connections, openPost } from './post.ts'
import { workerSettings } from './job-queue.ts'

const { queueUrl, receiverUrl } = workerSettings()
const post = openPost(receiverUrl)
const boss = new PgBoss({ connectionString: queueUrl, useListenNotify: true })
boss.on('error', console.error)
await boss.start()
// A batch ends with its slowest job. Several batches run at once, so that connections do not idle.
const batches = { batchSize: connections, localConcurrency: 4 }
await boss.work<Message>(
  queueName,
  { ...batches, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 },
  async (jobs) => {
    await Promise.all(jobs.map(({ data }) => post(data)))
  },
)
process.send?.({})
