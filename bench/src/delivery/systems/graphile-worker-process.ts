import { run } from 'graphile-worker'
import type { Message } from '../message.ts'
import { quietLogger } from './graphile-settings.ts'
import { connections, openPost } from './post.ts'
import { workerSettings } from './job-queue.ts'

const { queueUrl, receiverUrl } = workerSettings()
const post = openPost(receiverUrl)
await run({
  connectionString: queueUrl,
  logger: quietLogger,
  noHandleSignals: true,
  taskList: { post: (payload) => post(payload as Message) },
  preset: {
    worker: {
      concurrentJobs: connections,
      maxPoolSize: connections + 2,
      localQueue: { size: 4 * connections },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  },
})
process.send?.({})
