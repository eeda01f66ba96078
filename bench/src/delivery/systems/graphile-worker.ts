/** graphile-worker. It fetches jobs into a local queue and completes them in batches. */
import { makeWorkerUtils } from 'graphile-worker'
import { Client } from 'pg'
import type { Server } from '../../support/servers.ts'
import type { System } from './system.ts'
import { quietLogger } from './graphile-settings.ts'
import { jobQueueSystem } from './job-queue.ts'

export function graphileSystem(postgres: Server, databaseUrl: string, receiverUrl: string): System {
  return jobQueueSystem({
    name: 'graphile-worker',
    label: 'graphile-worker',
    workerFile: new URL('./graphile-worker-process.ts', import.meta.url),
    queueUrl: databaseUrl,
    receiverUrl,
    server: { name: 'PostgreSQL', pid: postgres.pid },
    async open() {
      const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger: quietLogger })
      await utils.migrate()
      const client = new Client({ connectionString: databaseUrl })
      await client.connect()
      return {
        storage: { database: client },
        addAll: (messages) => utils.addJobs(messages.map((payload) => ({ identifier: 'post', payload }))),
        async isEmpty() {
          const { rows } = await client.query('SELECT FROM graphile_worker._private_jobs LIMIT 1')
          return rows.length === 0
        },
        async close() {
          await client.end()
          await utils.release()
        },
      }
    },
  })
}
