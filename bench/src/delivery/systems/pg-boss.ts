/** pg-boss. It fetches and completes jobs in batches, and NOTIFY wakes the workers. */
import { Client } from 'pg'
import { PgBoss } from 'pg-boss'
import type { Server } from '../../support/servers.ts'
import type { System } from './system.ts'
import { jobQueueSystem } from './job-queue.ts'

export const queueName = 'messages'

export function pgBossSystem(postgres: Server, databaseUrl: string, receiverUrl: string): System {
  return jobQueueSystem({
    name: 'pg-boss',
    label: 'pg-boss',
    workerFile: new URL('./pg-boss-worker.ts', import.meta.url),
    queueUrl: databaseUrl,
    receiverUrl,
    server: { name: 'PostgreSQL', pid: postgres.pid },
    async open() {
      const boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false })
      boss.on('error', console.error)
      await boss.start()
      await boss.createQueue(queueName, { notify: true })
      const client = new Client({ connectionString: databaseUrl })
      await client.connect()
      return {
        storage: { database: client },
        addAll: (messages) =>
          boss.insert(
            queueName,
            messages.map((data) => ({ data })),
          ),
        async isEmpty() {
          const { rows } = await client.query("SELECT FROM pgboss.job WHERE state < 'completed' LIMIT 1")
          return rows.length === 0
        },
        async close() {
          await client.end()
          await boss.stop({ graceful: false })
        },
      }
    },
  })
}
