/** The URL of an installation, as users write it. */
import { CliError, exitCodes } from './errors.ts'
import { isLocalHost } from './local-host.ts'

export function normalizeUrl(text: string | undefined): string {
  if (text === undefined)
    throw new CliError('Which installation? Its URL is missing.', {
      exitCode: exitCodes.usage,
      hint: 'hookline login --url https://hooks.example.com',
    })
  const [host = ''] = text.split(/[:/]/)
  const url = URL.parse(text.includes('://') ? text : `${isLocalHost(host) ? 'http' : 'https'}://${text}`)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CliError(`"${text}" is not a URL.`, { exitCode: exitCodes.usage })
  if (url.protocol === 'http:' && !isLocalHost(url.hostname))
    throw new CliError(`${url.origin} is not encrypted, so your credential could be read.`, {
      exitCode: exitCodes.usage,
      hint: `Use https://${url.host}`,
    })
  return url.origin
}
