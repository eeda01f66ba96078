/** graphile-worker: jobs are fetched into a local queue and completed in batches. */
import { makeWorkerUtils } from 'graphile-worker'
import { Client } from 'pg'
import type { Server } from '../servers.ts'
import type { Contestant } from './contestant.ts'
import { quietly } from './graphile-settings.ts'
import { rivalContestant } from './rival.ts'

export function graphileContestant(postgres: Server, databaseUrl: string, receiverUrl: string): Contestant {
  return rivalContestant({
    name: 'graphile-worker',
    label: 'graphile-worker',
    workerFile: new URL('./graphile-worker-process.ts', import.meta.url),
    queueUrl: databaseUrl,
    receiverUrl,
    server: { name: 'PostgreSQL', pid: postgres.pid },
    async open() {
      const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger: quietly })
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
