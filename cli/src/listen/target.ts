/** The receiver that events are forwarded to. */
import { connect } from 'node:net'
import { CliError, exitCodes } from '../errors.ts'
import { isLocalHost, lookupLocal } from '../local-host.ts'

/** Reads `3000`, `3000/hooks`, `localhost:3000/hooks` or a URL. */
export function readTarget(text: string, { allowExternal }: { allowExternal?: boolean }): URL {
  const port = /^(\d{1,5})(\/.*)?$/.exec(text)
  const url = URL.parse(
    port ? `http://localhost:${port[1]}${port[2] ?? '/'}` : text.includes('://') ? text : `http://${text}`,
  )
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CliError(`"${text}" is neither a port nor a URL.`, {
      exitCode: exitCodes.usage,
      hint: 'hookline listen 3000/webhooks',
    })
  if (url.username !== '' || url.password !== '')
    throw new CliError('The URL has a user name or a password. The service would see them.', {
      exitCode: exitCodes.usage,
    })
  if (!isLocalHost(url.hostname) && !allowExternal)
    throw new CliError(
      `${url.hostname} is not this machine. Events contain message text and phone numbers.`,
      {
        exitCode: exitCodes.usage,
        hint: `If you trust it: hookline listen ${text} --allow-external`,
      },
    )
  return url
}

const connectTimeoutMs = 2_000

/** Returns whether something accepts connections. */
export function answers({ hostname, port, protocol }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replaceAll(/[[\]]/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      timeout: connectTimeoutMs,
      lookup: lookupLocal,
    })
    const end = (isOpen: boolean) => () => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false))
  })
}
