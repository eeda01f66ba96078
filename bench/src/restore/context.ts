/** What all steps of a restore drill share: Hookline under load on a cluster that archives its WAL. */
import { waitUntilReady } from '../deploy/try-out.ts'
import { createEnvironment, type Environment } from '../faults/environment.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { createFolder, startNats } from '../support/servers.ts'
import { enableArchiving } from './clusters.ts'
import { createRepository, type Repository } from './pgbackrest.ts'

export interface Context {
  environment: Environment
  repository: Repository
  /** Folder of the repository and the restored clusters. */
  parent: string
  /** Connection URL of the database. It stays the same after the restore. */
  url: string
  cleanup: Cleanup
}

export async function createContext(withNats: boolean, cleanup: Cleanup): Promise<Context> {
  const parent = await createFolder(cleanup)
  const nats = withNats ? { NATS_URL: (await startNats(parent, cleanup)).url } : undefined
  const environment = await createEnvironment(cleanup.push, undefined, nats)
  const url = environment.postgres.url()
  const repository = await createRepository(parent)
  await enableArchiving(url, repository)
  await environment.postgres.stop()
  await environment.startPostgres()
  await repository.create()
  return { environment, repository, parent, url, cleanup }
}

/** Starts an api and two workers, and waits until they are ready. */
export async function startHookline(environment: Environment): Promise<void> {
  const started = await Promise.all([
    environment.startApi(),
    environment.startWorker(),
    environment.startWorker(),
  ])
  for (const { internalUrl } of started) await waitUntilReady(internalUrl)
}

const startedAt = performance.now()

/** Prints a step with the seconds since the start of the proof. */
export function logStep(step: string): void {
  console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${step}`)
}

export async function timed(action: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await action()
  return performance.now() - from
}
