/** The service: settings, parts, start; on a signal, stop in reverse. */
import { loadConfig } from './config.ts'
import { exitWithMessage } from './ops/exit.ts'
import { createLog } from './ops/log.ts'
import { Advice } from './model/errors.ts'
import { type Role, roles, startService } from './service.ts'

try {
  const config = loadConfig(process.env)
  const log = createLog(config.logLevel)
  const role = readRole(process.argv[2] ?? 'all')
  const service = await startService(config, log, role)
  log.info({ role, url: service.url, internal_url: service.internalUrl }, 'listening')

  const stop = (signal: string): void => {
    log.info({ signal }, 'stopping')
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => exitWithMessage(error),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
} catch (error) {
  exitWithMessage(error)
}

function readRole(given: string): Role {
  const role = roles.find((known) => known === given)
  if (role === undefined)
    throw new Advice(`There is no role "${given}". Choose ${roles.join(', ')}, or none for all.`)
  return role
}
