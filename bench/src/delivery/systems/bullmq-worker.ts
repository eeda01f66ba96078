import { Worker } from 'bullmq'
import type { Message } from '../message.ts'
import { queueName } from './bullmq.ts'
import { connections, openPost } from './post.ts'
import { workerSettings } from './job-queue.ts'

const { queueUrl, receiverUrl } = workerSettings()
const post = openPost(receiverUrl)
const worker = new Worker<Message>(queueName, ({ data }) => post(data), {
  connection: { url: queueUrl },
  concurrency: connections,
})
worker.on('error', console.error)
worker.on('failed', (_job, error) => console.error(error))
await worker.waitUntilReady()
process.send?.({})
