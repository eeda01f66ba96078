/**
 * Every setting, in one table: name, how it is read, default, meaning. Nothing else reads the environment.
 * Start-up names all problems at once; `docs/configuration.md` is generated from this table.
 */
import { isIP } from 'node:net'
import { type CredentialKind, credentialKinds } from './model/caller.ts'
import { dayMs } from './model/day.ts'
import { Advice } from './model/errors.ts'
import { maxRetryMs } from './pipeline/retry/decide.ts'
import { heldDays } from './pipeline/work/finish.ts'

interface Setting<T> {
  name: string
  read: (text: string) => T
  /** Undefined: the setting is required. A function: derived from the environment. */
  default?: string | ((env: Environment) => string)
  /** How the default is written in the documentation when it is derived. */
  defaultText?: string
  meaning: string
}

/**
 * While a delivery is pending its event must be there: it may be on hold until the last moment and then take all retries.
 * One more, since days leave whole.
 */
const maxRetryDays = Math.ceil(maxRetryMs / dayMs)
const minRetentionDays = heldDays + maxRetryDays + 1

type Environment = Record<string, string | undefined>

class Unreadable extends Error {}

export const settings = {
  databaseUrl: setting({
    name: 'DATABASE_URL',
    read: urlWith(['postgres:', 'postgresql:']),
    meaning: 'PostgreSQL 15 or newer, for example `postgres://user:password@host:5432/hookline`.',
  }),
  natsUrl: setting({
    name: 'NATS_URL',
    read: optional(urlWith(['nats:', 'tls:'])),
    default: '',
    meaning:
      'NATS with JetStream, for example `nats://user:password@host:4222`; it moves fresh events to workers. Empty: PostgreSQL alone does it all, which is right for one machine.',
  }),
  masterKey: setting({
    name: 'MASTER_KEY',
    read: key32,
    meaning:
      '32 random bytes in base64 (`openssl rand -base64 32`). Wraps the keys that seal secrets in the database: lose it and they are lost.',
  }),
  previousMasterKey: setting({
    name: 'PREVIOUS_MASTER_KEY',
    read: optional(key32),
    default: '',
    meaning:
      'The master key before the present one. Set it for one start of the service to change the master key.',
  }),
  host: setting({
    name: 'HOST',
    read: text,
    default: '127.0.0.1',
    meaning: 'Address the public listener binds to.',
  }),
  port: setting({
    name: 'PORT',
    read: port,
    default: '8080',
    meaning: 'Port of the public listener. 0 takes a free one.',
  }),
  internalHost: setting({
    name: 'INTERNAL_HOST',
    read: text,
    default: '127.0.0.1',
    meaning: 'Address the internal listener binds to. Never make it reachable from outside.',
  }),
  internalPort: setting({
    name: 'INTERNAL_PORT',
    read: port,
    default: '8081',
    meaning: 'Port of the internal listener (intake, health, metrics). 0 takes a free one.',
  }),
  baseUrl: setting({
    name: 'BASE_URL',
    read: origin,
    default: (env) => `http://localhost:${/^\d{1,5}$/.test(env.PORT ?? '') ? env.PORT : 8080}`,
    defaultText: '`http://localhost:` and the port',
    meaning: 'The address by which customers reach the public listener. Webhooks to its host are refused.',
  }),
  ownHosts: setting({
    name: 'OWN_HOSTS',
    read: list(host),
    default: '',
    meaning:
      'Further names and IP addresses of this installation, separated by commas. Webhooks to them are refused.',
  }),
  checkOwnAddresses: setting({
    name: 'CHECK_OWN_ADDRESSES',
    read: boolean,
    default: 'true',
    meaning:
      'Nothing is sent to names that lead to the addresses of `BASE_URL` and `OWN_HOSTS`. Set it to `false` where others share these addresses, as behind a CDN; aliases (CNAME) of the names are refused all the same.',
  }),
  allowPrivateTargets: setting({
    name: 'ALLOW_PRIVATE_TARGETS',
    read: boolean,
    default: 'false',
    meaning:
      'Local development only: lets webhooks go to loopback, RFC 1918 and single-label names, on any port. Refused unless `BASE_URL` is loopback.',
  }),
  trustedProxies: setting({
    name: 'TRUSTED_PROXIES',
    read: list(cidr),
    default: '',
    meaning:
      'IP addresses or networks (CIDR), separated by commas, whose `X-Forwarded-For` is believed for throttling and for IP restrictions of keys.',
  }),
  credentialsOff: setting({
    name: 'CREDENTIALS_OFF',
    read: list(credentialKind),
    default: '',
    meaning: `Kinds of credential to refuse, separated by commas: ${credentialKinds.map((kind) => `\`${kind}\``).join(', ')}.`,
  }),
  timeZone: setting({
    name: 'TIME_ZONE',
    read: timeZone,
    default: 'UTC',
    meaning:
      'Time zone of `created` in the list of webhooks (IANA name). Only for installations that must keep another.',
  }),
  callsPerMinute: setting({
    name: 'CALLS_PER_MINUTE',
    read: positive,
    default: '3000',
    meaning: 'API calls an account may make in a minute, over all processes.',
  }),
  loginAttempts: setting({
    name: 'LOGIN_ATTEMPTS',
    read: integer,
    default: '20',
    meaning:
      'Wrong passwords in 15 minutes for one name from one network (an IPv4 address or a /64). A name may fail ten times as often from anywhere, a network five times, a /56 and a /48 twice and four times as often as a /64; from one network fifty times as many requests for access may come. 0 lifts the throttle.',
  }),
  selfRegistration: setting({
    name: 'SELF_REGISTRATION',
    read: boolean,
    default: 'false',
    meaning: 'Lets anybody open an account in the developer area. Else accounts are made by the operator.',
  }),
  smtpUrl: setting({
    name: 'SMTP_URL',
    read: optional(urlWith(['smtp:', 'smtps:'])),
    default: '',
    meaning:
      'Server that sends mail to people, for example `smtps://user:password@mail.example.com`. With `smtp://` the connection must turn to TLS, unless the server is on this machine. Empty: no mail; whoever forgot the password asks the operator.',
  }),
  mailFrom: setting({
    name: 'MAIL_FROM',
    read: text,
    default: '',
    meaning: 'Sender of these mails, for example `Hookline <hookline@example.com>`. Needed with `SMTP_URL`.',
  }),
  operatorContact: setting({
    name: 'OPERATOR_CONTACT',
    read: optional(text),
    default: '',
    meaning:
      'How people reach you, shown to whoever cannot sign in, for example `support@example.com` or a telephone number.',
  }),
  hooksPerAccount: setting({
    name: 'HOOKS_PER_ACCOUNT',
    read: positive,
    default: '100',
    meaning: 'Webhooks an account may have.',
  }),
  hookChangesPerMinute: setting({
    name: 'HOOK_CHANGES_PER_MINUTE',
    read: positive,
    default: '600',
    meaning:
      'Webhooks that an account may register, edit, enable or give a new secret in a minute. Registering one again that exists, disabling and deleting are not limited.',
  }),
  hookChangesPerDay: setting({
    name: 'HOOK_CHANGES_PER_DAY',
    read: positive,
    default: '10000',
    meaning: 'The same in a day of UTC.',
  }),
  urlBytes: setting({
    name: 'MAX_URL_BYTES',
    read: positive,
    default: '2048',
    meaning: 'Longest address of a webhook, in bytes.',
  }),
  filterBytes: setting({
    name: 'MAX_FILTER_BYTES',
    read: positive,
    default: '1024',
    meaning: 'Longest filter of a webhook, in bytes.',
  }),
  headerCount: setting({
    name: 'MAX_HEADERS',
    read: positive,
    default: '32',
    meaning: 'Custom headers a webhook may have.',
  }),
  headerNameBytes: setting({
    name: 'MAX_HEADER_NAME_BYTES',
    read: positive,
    default: '256',
    meaning: 'Longest name of a custom header, in bytes.',
  }),
  headerValueBytes: setting({
    name: 'MAX_HEADER_VALUE_BYTES',
    read: positive,
    default: '4096',
    meaning: 'Longest value of a custom header, in bytes.',
  }),
  headersBytes: setting({
    name: 'MAX_HEADERS_BYTES',
    read: positive,
    default: '8192',
    meaning: 'All custom headers of a webhook together, in bytes.',
  }),
  concurrency: setting({
    name: 'CONCURRENCY',
    read: positive,
    default: '512',
    meaning:
      'Attempts a worker has under way at once. At most a quarter of them to one host, at most half to webhooks that have not lately answered within a second.',
  }),
  concurrencyPerHook: setting({
    name: 'CONCURRENCY_PER_HOOK',
    read: positive,
    default: '16',
    meaning: 'Attempts under way at once for one webhook, over all workers.',
  }),
  concurrencyPerAccount: setting({
    name: 'CONCURRENCY_PER_ACCOUNT',
    read: positive,
    default: '128',
    meaning: 'Attempts under way at once for one account, over all workers.',
  }),
  dnsServers: setting({
    name: 'DNS_SERVERS',
    read: list(text),
    default: '',
    meaning:
      "Resolvers to ask for receivers' names, `ip` or `ip:port`, separated by commas. Empty: those of the system.",
  }),
  eventsPerCall: setting({
    name: 'EVENTS_PER_CALL',
    read: positive,
    default: '500',
    meaning: 'Events a producer may hand in with one call.',
  }),
  eventBytes: setting({
    name: 'MAX_EVENT_BYTES',
    read: positive,
    default: '262144',
    meaning: 'Largest `data` of an event, in bytes.',
  }),
  backlogPerAccount: setting({
    name: 'BACKLOG_PER_ACCOUNT',
    read: positive,
    default: '1000000',
    meaning: 'Events and deliveries an account may have waiting before new events are refused.',
  }),
  canarySeconds: setting({
    name: 'CANARY_SECONDS',
    read: integer,
    default: '0',
    meaning:
      'Every so many seconds each worker sends an event of its own to `BASE_URL`/canary, through the whole path, for the figures `hookline_canary_…`. 0: none. `BASE_URL` must be an address that webhooks can be sent to.',
  }),
  retentionDays: setting({
    name: 'RETENTION_DAYS',
    read: retention,
    default: '30',
    meaning: `Days that events, deliveries and attempts are kept; at least ${minRetentionDays}.`,
  }),
  auditRetentionDays: setting({
    name: 'AUDIT_RETENTION_DAYS',
    read: positive,
    default: '365',
    meaning:
      'Days that entries of the audit log are kept. Export them before (`npm run admin -- audit export`) if you need them for longer.',
  }),
  poolSize: setting({
    name: 'DATABASE_POOL',
    read: atLeast(2),
    default: '10',
    meaning:
      'Database connections of one process, at least 2. A process that serves the API has 4 more for intake alone, and 4 for sign-ins, registrations, resets and OAuth.',
  }),
  migrateDatabaseUrl: setting({
    name: 'MIGRATE_DATABASE_URL',
    read: optional(urlWith(['postgres:', 'postgresql:'])),
    default: '',
    meaning:
      'Only where `DATABASE_URL` leads to a pooler such as PgBouncer: the address of PostgreSQL itself, for `npm run migrate`, which then also stores the settings of database sessions with the role of `DATABASE_URL`.',
  }),
  preparedStatements: setting({
    name: 'DATABASE_PREPARED_STATEMENTS',
    read: boolean,
    default: 'true',
    meaning:
      'Plans frequent statements once per connection. Set it to false behind a pooler that does not manage prepared statements (PgBouncer before 1.21, or with `max_prepared_statements = 0`).',
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    read: oneOf(['debug', 'info', 'warn', 'error']),
    default: 'info',
    meaning: 'Lowest level that is logged: `debug`, `info`, `warn` or `error`.',
  }),
} as const

export type Config = { [Key in keyof typeof settings]: ReturnType<(typeof settings)[Key]['read']> }

/** All that is wrong with the environment, one sentence a line. */
class ConfigProblems extends Advice {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      [
        'The service cannot start:',
        ...problems.map((problem) => `  - ${problem}`),
        'Every setting is explained in docs/configuration.md.',
      ].join('\n'),
    )
    this.problems = problems
  }
}

export function loadConfig(env: Environment): Config {
  const problems: string[] = []
  const values = Object.entries<Setting<unknown>>(settings).map(([key, entry]) => [
    key,
    readSetting(entry, env, problems),
  ])
  // Each value was made by the `read` of its own entry, which is what Config says; what could not be read is missing.
  const config = Object.fromEntries(values) as Partial<Config>
  problems.push(...contradictions(config))
  if (problems.length > 0) throw new ConfigProblems(problems)
  return config as Config
}

function readSetting(entry: Setting<unknown>, env: Environment, problems: string[]): unknown {
  const fallback = typeof entry.default === 'function' ? entry.default(env) : entry.default
  const given = env[entry.name] || fallback
  if (given === undefined) {
    problems.push(`${entry.name} is not set.`)
    return undefined
  }
  try {
    return entry.read(given)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    problems.push(`${entry.name} ${error.message}`)
    return undefined
  }
}

function contradictions({
  allowPrivateTargets,
  baseUrl,
  port: publicPort,
  internalPort,
  smtpUrl,
  mailFrom,
}: Partial<Config>): string[] {
  const problems: string[] = []
  if (allowPrivateTargets && baseUrl !== undefined && !isLoopback(baseUrl.hostname))
    problems.push(
      `ALLOW_PRIVATE_TARGETS is only for local development: it needs a loopback BASE_URL, not ${baseUrl.host}.`,
    )
  if (publicPort !== undefined && publicPort !== 0 && publicPort === internalPort)
    problems.push(`PORT and INTERNAL_PORT are both ${publicPort}: the internal listener needs its own.`)
  if (smtpUrl !== undefined && mailFrom === '')
    problems.push('MAIL_FROM is not set: mail sent through SMTP_URL needs a sender.')
  return problems
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

function setting<T>(entry: Setting<T>): Setting<T> {
  return entry
}

function text(given: string): string {
  return given
}

function boolean(given: string): boolean {
  const lower = given.toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(lower)) return true
  if (['false', '0', 'no', 'off'].includes(lower)) return false
  throw new Unreadable(`must be true or false, not "${given}".`)
}

function integer(given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new Unreadable(`must be a whole number, not "${given}".`)
  return Number(given)
}

function positive(given: string): number {
  return atLeast(1)(given)
}

function atLeast(min: number): (given: string) => number {
  return (given) => {
    const value = integer(given)
    if (value < min) throw new Unreadable(`must be at least ${min}.`)
    return value
  }
}

function retention(given: string): number {
  const value = integer(given)
  if (value < minRetentionDays)
    throw new Unreadable(
      `must be at least ${minRetentionDays}, not ${given}: a delivery can be on hold for ${heldDays} days and be retried for ${maxRetryDays} more, and its event must be kept meanwhile.`,
    )
  return value
}

function port(given: string): number {
  const value = integer(given)
  if (value > 65535) throw new Unreadable(`must be a port from 0 to 65535, not ${given}.`)
  return value
}

/** Never repeats the given text: a database address holds a password. */
function urlWith(protocols: readonly string[]): (given: string) => URL {
  return (given) => {
    const url = URL.parse(given)
    if (url === null || !protocols.includes(url.protocol) || url.hostname === '')
      throw new Unreadable(
        `must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
      )
    return url
  }
}

function origin(given: string): URL {
  const url = urlWith(['http:', 'https:'])(given)
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new Unreadable('must be an address without a path, such as https://hooks.example.com.')
  return url
}

function key32(given: string): Buffer {
  const bytes = Buffer.from(given, 'base64')
  if (bytes.length !== 32 || bytes.toString('base64') !== given)
    throw new Unreadable('must be 32 bytes in base64: make one with `openssl rand -base64 32`.')
  return bytes
}

function optional<T>(read: (given: string) => T): (given: string) => T | undefined {
  return (given) => (given === '' ? undefined : read(given))
}

function list<T>(read: (given: string) => T): (given: string) => T[] {
  return (given) =>
    given
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(read)
}

/** Parsed as part of an address, so that it is spelled as the hosts of webhooks will be. */
function host(given: string): URL {
  const url = URL.parse(`http://${isIP(given) === 6 ? `[${given}]` : given}`)
  if (url === null || url.pathname !== '/' || url.port !== '')
    throw new Unreadable(`has "${given}", which is no host name or IP address.`)
  return url
}

function cidr(given: string): string {
  const [ip = '', prefix, ...rest] = given.split('/')
  const bits = isIP(ip) === 6 ? 128 : 32
  const prefixFits = prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits)
  if (isIP(ip) === 0 || !prefixFits || rest.length > 0)
    throw new Unreadable(`has "${given}", which is no IP address or network such as 10.0.0.0/8.`)
  return given
}

function credentialKind(given: string): CredentialKind {
  const kind = credentialKinds.find((known) => known === given)
  if (kind === undefined)
    throw new Unreadable(`has "${given}", which is none of ${credentialKinds.join(', ')}.`)
  return kind
}

function timeZone(given: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone
  } catch {
    throw new Unreadable(`must be an IANA time zone such as Europe/Berlin, not "${given}".`)
  }
}

function oneOf<const T extends string>(known: readonly T[]): (given: string) => T {
  return (given) => {
    const value = known.find((option) => option === given)
    if (value === undefined) throw new Unreadable(`must be one of ${known.join(', ')}, not "${given}".`)
    return value
  }
}
