/** `hookline-server health`: the health check of containers, which have no curl. Takes the settings of the service. */
import { loadConfig } from './config.ts'
import { OperatorError } from './model/errors.ts'
import { exitWithMessage } from './runtime/exit.ts'

const timeoutMs = 5_000

try {
  const { internalHost, internalPort } = loadConfig(process.env)
  const url = `http://${reachable(internalHost)}:${internalPort}/health/ready`
  // oxlint-disable-next-line no-restricted-globals -- a command of its own that calls only its own service
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: Error) => {
    throw new OperatorError(`Hookline does not respond at ${url}: ${describe(error)}`)
  })
  console.log(await response.text())
  process.exitCode = response.ok ? 0 : 1
} catch (error) {
  exitWithMessage(error)
}

/** A service that listens on all addresses also listens on loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function describe({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
}
