/** The service: settings, parts, start; on a signal, stop in reverse. */
import { loadConfig } from './config.ts'
import { exitWithMessage } from './ops/exit.ts'
import { createLog } from './ops/log.ts'
import { startService } from './service.ts'

try {
  const config = loadConfig(process.env)
  const log = createLog(config.logLevel)
  const service = await startService(config, log)
  log.info({ url: service.url, internal_url: service.internalUrl }, 'listening')

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
