import { run } from 'graphile-worker'
import type { Message } from '../message.ts'
import { quietly } from './graphile-settings.ts'
import { connections, openPost } from './post.ts'
import { workerSettings } from './rival.ts'

const { queueUrl, receiverUrl } = workerSettings()
const post = openPost(receiverUrl)
await run({
  connectionString: queueUrl,
  logger: quietly,
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
