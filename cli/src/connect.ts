/** Connects to an installation with the credential of a profile or of the environment. */
import { type Client, createClient } from '@hookline/client'
import { CliError, exitCodes } from './errors.ts'
import { normalizeUrl } from './installation-url.ts'
import { currentToken } from './oauth.ts'
import { readProfile } from './profiles.ts'
import { readSecret } from './secrets.ts'

export interface Connection {
  client: Client
  url: string
  /** For messages: the name of the profile, or the environment. */
  source: string
}

export interface ConnectOptions {
  profile?: string
}

const envHint = 'Set HOOKLINE_URL to the URL of the installation, such as https://hooks.example.com.'

export async function connect({ profile: requested }: ConnectOptions): Promise<Connection> {
  const apiKey = process.env.HOOKLINE_API_KEY
  if (apiKey && requested === undefined) {
    const url = process.env.HOOKLINE_URL
    if (!url)
      throw new CliError('HOOKLINE_API_KEY is set without HOOKLINE_URL.', {
        exitCode: exitCodes.usage,
        hint: envHint,
      })
    // The error of fetch would show the value.
    if (!/^[!-~]+$/.test(apiKey))
      throw new CliError('HOOKLINE_API_KEY has characters that no API key has.', {
        exitCode: exitCodes.usage,
      })
    const origin = normalizeUrl(url)
    return { client: createClient({ baseUrl: origin, apiKey }), url: origin, source: 'HOOKLINE_API_KEY' }
  }
  const { name, profile } = await readProfile(requested)
  const { url, store } = profile
  if (profile.credential === 'oauth')
    return {
      client: createClient({ baseUrl: url, token: () => currentToken(name, profile) }),
      url,
      source: name,
    }
  const secret = await readSecret(name, store)
  if (secret === undefined)
    throw new CliError(`The API key of the profile "${name}" is not in the ${store}.`, {
      exitCode: exitCodes.unauthorized,
      hint: `Sign in again: hookline login --url ${url}`,
    })
  return { client: createClient({ baseUrl: url, apiKey: secret }), url, source: name }
}
