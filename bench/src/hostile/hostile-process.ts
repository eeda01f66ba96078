/**
 * Process of the hostile tenant. Runs with the lowest priority, so that its own CPU time does not affect the
 * measurement. `start-hostile.ts` starts it and sends commands.
 */
import { setPriority } from 'node:os'
import { type RunningActivity, startActivity } from './activity.ts'
import { activities } from './activities.ts'
import { openSession } from './activities/session.ts'
import { registerHooks } from './hostile-hooks.ts'
import type { ActivityResults, HostileCommand, HostileSettings, Prepared } from './commands.ts'
import { createTenant } from './tenant.ts'

const lowestPriority = 19

const settings = JSON.parse(process.argv[2] ?? '') as HostileSettings
const tenant = createTenant(settings.tenant)
let running: RunningActivity[] = []
setPriority(lowestPriority)

async function prepare(): Promise<Prepared> {
  await openSession(tenant)
  return registerHooks(tenant)
}

function start(): void {
  running = activities
    .filter(({ name }) => settings.activities.includes(name))
    .map((activity) => startActivity(activity, tenant, settings.intensity))
}

function stop(): ActivityResults {
  for (const activity of running) activity.stop()
  return Object.fromEntries(running.map(({ name, results }) => [name, Object.fromEntries(results)]))
}

async function handleCommand({ command }: HostileCommand): Promise<object> {
  switch (command) {
    case 'prepare':
      return prepare()
    case 'start':
      start()
      return {}
    case 'stop':
      return stop()
  }
}

process.on('message', (command: HostileCommand) => {
  handleCommand(command).then(
    (response) => process.send?.(response),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
process.on('SIGINT', () => {})
process.send?.({})
