/** Starts the service with its settings and role. Stops it on SIGTERM or SIGINT. */
import { loadConfig } from './config.ts'
import { exitWithMessage } from './runtime/exit.ts'
import { createLog } from './runtime/log.ts'
import { onStopSignal } from './runtime/stop-signal.ts'
import { OperatorError } from './model/errors.ts'
import { type Role, roles, startService } from './service/service.ts'

try {
  const config = loadConfig(process.env)
  const log = createLog(config.logLevel)
  const role = readRole(process.argv[2] ?? 'all')
  const service = await startService(config, log, role)
  log.info({ role, url: service.url, internal_url: service.internalUrl }, 'listening')
  onStopSignal((signal) => {
    log.info({ signal }, 'stopping')
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => exitWithMessage(error),
    )
  })
} catch (error) {
  exitWithMessage(error)
}

function readRole(input: string): Role {
  const role = roles.find((candidate) => candidate === input)
  if (role === undefined)
    throw new OperatorError(`Unknown role "${input}". Use one of ${roles.join(', ')}. The default is all.`)
  return role
}
