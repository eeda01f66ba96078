/** `login`, `logout`, `whoami` and `profiles`. */
import { text as readAll } from 'node:stream/consumers'
import { ApiError, createClient } from '@hookline/client'
import type { Command } from 'commander'
import { connected, plain } from '../action.ts'
import { CliError, exitCodes } from '../errors.ts'
import { normalizeUrl } from '../installation-url.ts'
import { readTokens, revokeTokens, signInByBrowser } from '../oauth.ts'
import { hasBrowser } from '../open-in-browser.ts'
import { paint, printable, printJson, printTable } from '../output.ts'
import {
  findProfile,
  profileName,
  readConfig,
  readProfile,
  removeProfile,
  saveProfile,
  useProfile,
} from '../profiles.ts'
import { removeSecret, saveSecret } from '../secrets.ts'

interface LoginOptions {
  url?: string
  apiKeyStdin?: boolean
  browser: boolean
}

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('sign in with your browser, or with an API key')
    .option('--url <url>', 'URL of the installation (default: HOOKLINE_URL, or that of the profile)')
    .option('--api-key-stdin', 'read an API key from standard input')
    .option('--no-browser', 'print the address and open no browser')
    .addHelpText(
      'after',
      '\nExamples:\n  hookline login --url https://hooks.example.com\n  pass show hookline | hookline login --url https://hooks.example.com --api-key-stdin',
    )
    .action(plain<LoginOptions>(async (options) => login(options, await profileName(options.profile))))
  program
    .command('logout')
    .description('remove a profile and its secret')
    .action(plain(async ({ profile }) => logout(profile)))
  program
    .command('whoami')
    .description('show the account, the installation and the scopes')
    .action(
      connected(async ({ client, url, source }, { json }) => {
        const { account, credential, scopes } = await client.get('/api/caller')
        if (json) return printJson({ url, source, account, credential, scopes })
        console.log(`${paint('bold', printable(account.name))} (account ${printable(account.id)}) at ${url}`)
        console.log(printable(`Credential: ${credential} from ${source}. Scopes: ${scopes.join(', ')}`))
      }),
    )
  const profiles = program.command('profiles').description('list profiles, or switch to another')
  profiles
    .command('list', { isDefault: true })
    .description('list profiles')
    .action(
      plain(async ({ json }) => {
        const { current, profiles: all } = await readConfig()
        const rows = Object.entries(all).map(([name, profile]) => ({
          name,
          isCurrent: name === current,
          ...profile,
        }))
        printTable(
          rows,
          {
            name: ({ name, isCurrent }) => (isCurrent ? `${name} *` : name),
            account: ({ account }) => account.name,
            url: (row) => row.url,
            credential: ({ credential, store }) => `${credential} in ${store}`,
          },
          { json, empty: 'No profiles. Sign in: hookline login --url https://…' },
        )
      }),
    )
  profiles
    .command('use <name>')
    .description('switch to a profile')
    .action(plain(async (_, name = '') => useProfile(name)))
}

async function login(options: LoginOptions, name: string): Promise<void> {
  const existing = await findProfile(name)
  const url = normalizeUrl(options.url ?? process.env.HOOKLINE_URL ?? existing?.url)
  const signIn = options.apiKeyStdin
    ? readApiKey(url)
    : signInWithBrowser(url, options.browser && hasBrowser())
  const { credential, secret, account } = await signIn
  const store = await saveSecret(name, secret)
  await saveProfile(name, { url, credential, account, store })
  console.error(
    `${paint('green', '✓')} Signed in to ${paint('bold', printable(account.name))} at ${url}, profile "${name}".`,
  )
  if (store === 'file')
    console.error(paint('dim', '  No keyring was found, so the secret is in a file that only you can read.'))
  console.error(paint('dim', '  Next: hookline listen 3000'))
}

interface SignedIn {
  credential: 'api-key' | 'oauth'
  secret: string
  account: { id: number; name: string }
}

async function signInWithBrowser(url: string, usesBrowser: boolean): Promise<SignedIn> {
  const tokens = await signInByBrowser(url, { usesBrowser })
  const { account } = await createClient({ baseUrl: url, token: tokens.accessToken }).get('/api/caller')
  return { credential: 'oauth', secret: JSON.stringify(tokens), account }
}

async function readApiKey(url: string): Promise<SignedIn> {
  if (process.stdin.isTTY) console.error('Paste the API key, then press Enter and Ctrl+D:')
  const secret = (await readAll(process.stdin)).trim()
  if (!/^[!-~]+$/.test(secret))
    throw new CliError('Standard input has no API key.', {
      exitCode: exitCodes.usage,
      hint: 'Create one in the dashboard under API keys.',
    })
  const { account, credential } = await createClient({ baseUrl: url, apiKey: secret }).get('/api/caller')
  if (credential !== 'header-key')
    throw new CliError('That is not an API key.', { exitCode: exitCodes.usage })
  return { credential: 'api-key', secret, account }
}

async function logout(requested: string | undefined): Promise<void> {
  const { name, profile } = await readProfile(requested)
  if (profile.credential === 'oauth') await revoke(profile.url, name)
  await removeSecret(name, profile.store)
  await removeProfile(name)
  console.error(`Removed the profile "${name}".`)
}

/** Best effort: the authorization ends anyway after 90 days, and in the dashboard at any time. */
async function revoke(url: string, name: string): Promise<void> {
  try {
    await revokeTokens(url, await readTokens(name, (await readProfile(name)).profile))
  } catch (error) {
    if (!(error instanceof CliError || error instanceof ApiError || error instanceof TypeError)) throw error
    console.error('The authorization could not be revoked. Revoke it in the dashboard under Authorizations.')
  }
}
