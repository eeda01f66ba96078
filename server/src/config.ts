/**
 * Defines every setting: name, parser, default, description. No other file reads the environment.
 * Startup reports all invalid settings at once. `docs/configuration.md` is generated from this table.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type CredentialKind, credentialKinds } from './model/caller.ts'
import { dayMs } from './model/day.ts'
import { OperatorError } from './model/errors.ts'
import { maxRetryMs } from './delivery/retry/retry-policy.ts'
import { heldDays } from './delivery/queue/finish.ts'

interface Setting<T> {
  name: string
  read: (text: string) => T
  /** A required setting has none. A function derives the default from the environment. */
  default?: string | ((env: Environment) => string)
  /** Text for the documentation when the default is derived. */
  defaultText?: string
  description: string
  /** The value can also come from a file that `<name>_FILE` names. */
  isSecret?: true
}

/**
 * A pending delivery needs its event. It can be on hold for the maximum time and then use all retries.
 * One more day is added because retention drops whole days.
 */
const maxRetryDays = Math.ceil(maxRetryMs / dayMs)
const minRetentionDays = heldDays + maxRetryDays + 1

type Environment = Record<string, string | undefined>

class InvalidSetting extends Error {}

export const settings = {
  databaseUrl: setting({
    name: 'DATABASE_URL',
    isSecret: true,
    read: urlWith(['postgres:', 'postgresql:']),
    description: 'PostgreSQL 15 or newer, for example `postgres://user:password@host:5432/hookline`.',
  }),
  natsUrl: setting({
    name: 'NATS_URL',
    isSecret: true,
    read: optional(urlWith(['nats:', 'tls:'])),
    default: '',
    description:
      'NATS server, for example `nats://user:password@host:4222`. Api processes hand off events to workers by it. Empty: one process hands them off to itself, and separate workers poll PostgreSQL.',
  }),
  masterKey: setting({
    name: 'MASTER_KEY',
    isSecret: true,
    read: key32,
    description:
      '32 random bytes in base64 (`openssl rand -base64 32`). Encrypts the keys that encrypt secrets in the database. Secrets cannot be recovered without it.',
  }),
  previousMasterKey: setting({
    name: 'PREVIOUS_MASTER_KEY',
    isSecret: true,
    read: optional(key32),
    default: '',
    description: 'The previous master key. To rotate the master key, set it for one start of the service.',
  }),
  host: setting({
    name: 'HOST',
    read: text,
    default: '127.0.0.1',
    description: 'Bind address of the public listener.',
  }),
  port: setting({
    name: 'PORT',
    read: port,
    default: '8080',
    description: 'Port of the public listener. 0 selects a free port.',
  }),
  internalHost: setting({
    name: 'INTERNAL_HOST',
    read: text,
    default: '127.0.0.1',
    description: 'Bind address of the internal listener. Never expose it to the internet.',
  }),
  internalPort: setting({
    name: 'INTERNAL_PORT',
    read: port,
    default: '8081',
    description: 'Port of the internal listener (intake, health, metrics). 0 selects a free port.',
  }),
  baseUrl: setting({
    name: 'BASE_URL',
    read: origin,
    default: (env) => `http://localhost:${/^\d{1,5}$/.test(env.PORT ?? '') ? env.PORT : 8080}`,
    defaultText: '`http://localhost:` and the port',
    description: 'Public URL of the public listener. Webhooks that target its host are rejected.',
  }),
  ownHosts: setting({
    name: 'OWN_HOSTS',
    read: list(host),
    default: '',
    description:
      'Other host names and IP addresses of this installation, separated by commas. Webhooks that target them are rejected.',
  }),
  checkOwnAddresses: setting({
    name: 'CHECK_OWN_ADDRESSES',
    read: boolean,
    default: 'true',
    description:
      'Blocks deliveries to host names that resolve to the IP addresses of `BASE_URL` and `OWN_HOSTS`. Set it to `false` if other services share these IP addresses, as behind a CDN. CNAME aliases of the host names are always blocked.',
  }),
  allowPrivateTargets: setting({
    name: 'ALLOW_PRIVATE_TARGETS',
    read: boolean,
    default: 'false',
    description:
      'Local development only. Allows webhooks to loopback and RFC 1918 addresses and single-label host names, on any port, and identity providers there, also without TLS. Requires a loopback `BASE_URL`.',
  }),
  trustedProxies: setting({
    name: 'TRUSTED_PROXIES',
    read: list(cidr),
    default: '',
    description:
      'IP addresses or networks (CIDR) of trusted proxies, separated by commas. Their `X-Forwarded-For` is used for throttling and for IP restrictions of keys.',
  }),
  credentialsOff: setting({
    name: 'CREDENTIALS_OFF',
    read: list(credentialKind),
    default: '',
    description: `Authentication methods to disable, separated by commas: ${credentialKinds.map((kind) => `\`${kind}\``).join(', ')}.`,
  }),
  timeZone: setting({
    name: 'TIME_ZONE',
    read: timeZone,
    default: 'UTC',
    description:
      'Time zone of `created` in the list of webhooks (IANA name). Change it only if existing clients expect another time zone.',
  }),
  originalStatuses: setting({
    name: 'ORIGINAL_STATUSES',
    read: boolean,
    default: 'false',
    description:
      'Responds to failed calls of `/api/hooks` with HTTP 200, as the original service. 401, 403 and 5xx keep their status. Signed-in users are not affected. `npm run admin -- account statuses` overrides it for one account.',
  }),
  callsPerMinute: setting({
    name: 'CALLS_PER_MINUTE',
    read: positive,
    default: '3000',
    description: 'Max API calls per account per minute, across all processes.',
  }),
  loginAttempts: setting({
    name: 'LOGIN_ATTEMPTS',
    read: integer,
    default: '20',
    description:
      'Max failed passwords in 15 minutes for one login name from one network (an IPv4 address or an IPv6 /64). Other limits are multiples: 10 for a login name from all networks, 5 for a network across all login names, 50 for authorization requests from a network. A /56 has 2 times and a /48 has 4 times the limit of a /64. 0 disables the throttle.',
  }),
  selfRegistration: setting({
    name: 'SELF_REGISTRATION',
    read: boolean,
    default: 'false',
    description:
      'Allows anyone to create an account in the dashboard. If false, only the operator creates accounts.',
  }),
  smtpUrl: setting({
    name: 'SMTP_URL',
    isSecret: true,
    read: optional(urlWith(['smtp:', 'smtps:'])),
    default: '',
    description:
      'SMTP server for email to users, for example `smtps://user:password@mail.example.com`. With `smtp://`, STARTTLS is required unless the server is local. Empty: Hookline sends no email. Notices are only listed, and sent to chat channels, and only the operator can reset passwords and add members.',
  }),
  mailFrom: setting({
    name: 'MAIL_FROM',
    read: text,
    default: '',
    description: 'Sender of emails, for example `Hookline <hookline@example.com>`. Required with `SMTP_URL`.',
  }),
  mailReturnPath: setting({
    name: 'MAIL_RETURN_PATH',
    read: optional(text),
    default: '',
    description:
      'Address that mail servers send reports of bounced emails to, for example `bounces@example.com`. Pipe them to `admin notice bounce`. Empty: the address of `MAIL_FROM`.',
  }),
  operatorContact: setting({
    name: 'OPERATOR_CONTACT',
    read: optional(text),
    default: '',
    description:
      'Contact shown to users who cannot sign in, for example `support@example.com` or a phone number.',
  }),
  hooksPerAccount: setting({
    name: 'HOOKS_PER_ACCOUNT',
    read: positive,
    default: '100',
    description: 'Max webhooks per account.',
  }),
  hookChangesPerMinute: setting({
    name: 'HOOK_CHANGES_PER_MINUTE',
    read: positive,
    default: '600',
    description:
      'Max webhook changes per account per minute: create, edit, enable, rotate secret. Creating an existing webhook again, disabling and deleting do not count.',
  }),
  hookChangesPerDay: setting({
    name: 'HOOK_CHANGES_PER_DAY',
    read: positive,
    default: '10000',
    description: 'Max webhook changes per account per day (UTC).',
  }),
  urlBytes: setting({
    name: 'MAX_URL_BYTES',
    read: positive,
    default: '2048',
    description: 'Max length of the endpoint URL of a webhook, in bytes.',
  }),
  filterBytes: setting({
    name: 'MAX_FILTER_BYTES',
    read: positive,
    default: '1024',
    description: 'Max length of the filter of a webhook, in bytes.',
  }),
  headerCount: setting({
    name: 'MAX_HEADERS',
    read: positive,
    default: '32',
    description: 'Max custom headers per webhook.',
  }),
  headerNameBytes: setting({
    name: 'MAX_HEADER_NAME_BYTES',
    read: positive,
    default: '256',
    description: 'Max length of a custom header name, in bytes.',
  }),
  headerValueBytes: setting({
    name: 'MAX_HEADER_VALUE_BYTES',
    read: positive,
    default: '4096',
    description: 'Max length of a custom header value, in bytes.',
  }),
  headersBytes: setting({
    name: 'MAX_HEADERS_BYTES',
    read: positive,
    default: '8192',
    description: 'Max total size of the custom headers of a webhook, in bytes.',
  }),
  concurrency: setting({
    name: 'CONCURRENCY',
    read: positive,
    default: '512',
    description:
      'Max concurrent attempts per worker. At most a quarter go to one host. At most half go to webhooks without a recent response within a second.',
  }),
  concurrencyPerHook: setting({
    name: 'CONCURRENCY_PER_HOOK',
    read: positive,
    default: '16',
    description: 'Max concurrent attempts per webhook, across all workers.',
  }),
  concurrencyPerAccount: setting({
    name: 'CONCURRENCY_PER_ACCOUNT',
    read: positive,
    default: '128',
    description: 'Max concurrent attempts per account, across all workers.',
  }),
  dnsServers: setting({
    name: 'DNS_SERVERS',
    read: list(text),
    default: '',
    description:
      'DNS resolvers for receiver host names, as `ip` or `ip:port`, separated by commas. Empty: the system resolvers.',
  }),
  eventsPerCall: setting({
    name: 'EVENTS_PER_CALL',
    read: positive,
    default: '500',
    description: 'Max events per intake call.',
  }),
  eventBytes: setting({
    name: 'MAX_EVENT_BYTES',
    read: positive,
    default: '262144',
    description: 'Max size of the `data` of an event, in bytes.',
  }),
  unknownEventTypes: setting({
    name: 'UNKNOWN_EVENT_TYPES',
    read: oneOf(['reject', 'route']),
    default: 'reject',
    description:
      'What happens to submitted events of an unknown type. `reject`: they are rejected. `route`: webhooks of type `all` receive them, their data is not validated, and all fields are masked.',
  }),
  backlogPerAccount: setting({
    name: 'BACKLOG_PER_ACCOUNT',
    read: positive,
    default: '1000000',
    description: 'Max pending events and deliveries per account. Beyond it, new events are rejected.',
  }),
  canarySeconds: setting({
    name: 'CANARY_SECONDS',
    read: integer,
    default: '0',
    description:
      'Interval in seconds at which each worker sends a canary event through the full delivery path to `BASE_URL`/canary. The metrics `hookline_canary_…` report the result. `BASE_URL` must be a valid webhook target. 0 disables the canary.',
  }),
  retentionDays: setting({
    name: 'RETENTION_DAYS',
    read: retention,
    default: '30',
    description: `Retention of events, deliveries and attempts, in days. At least ${minRetentionDays}.`,
  }),
  auditRetentionDays: setting({
    name: 'AUDIT_RETENTION_DAYS',
    read: positive,
    default: '365',
    description:
      'Retention of audit log entries, in days. To keep entries longer, export them with `npm run admin -- audit export`.',
  }),
  poolSize: setting({
    name: 'DATABASE_POOL',
    read: atLeast(2),
    default: '10',
    description:
      'Database connections per process, at least 2. A process with the api role opens 4 more for intake and 4 more for sign-ins, registrations, resets and OAuth.',
  }),
  migrateDatabaseUrl: setting({
    name: 'MIGRATE_DATABASE_URL',
    isSecret: true,
    read: optional(urlWith(['postgres:', 'postgresql:'])),
    default: '',
    description:
      'Direct URL of PostgreSQL for `npm run migrate`. Set it only if `DATABASE_URL` points to a pooler such as PgBouncer. Migrations then also store the database session settings for the role of `DATABASE_URL`.',
  }),
  preparedStatements: setting({
    name: 'DATABASE_PREPARED_STATEMENTS',
    read: boolean,
    default: 'true',
    description:
      'Prepares frequent statements once per connection. Set it to false behind a pooler without support for prepared statements (PgBouncer before 1.21, or with `max_prepared_statements = 0`).',
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    read: oneOf(['debug', 'info', 'warn', 'error']),
    default: 'info',
    description: 'Min log level: `debug`, `info`, `warn` or `error`.',
  }),
  otlpEndpoint: setting({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    read: optional(collectorUrl),
    default: '',
    description:
      'OpenTelemetry collector for traces, for example `http://localhost:4318`. Spans are sent to its path `/v1/traces` by OTLP over HTTP, as JSON. Empty: no traces.',
  }),
  otlpHeaders: setting({
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    isSecret: true,
    read: headerList,
    default: '',
    description:
      'Headers for the collector, for example `authorization=Bearer%20token`. Pairs are separated by commas, and values are percent-encoded.',
  }),
  traceRatio: setting({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    read: ratio,
    default: '1',
    description:
      'Fraction of intake calls that are traced, from 0 to 1. For calls with a `traceparent`, its sampled flag decides instead.',
  }),
} as const

export type Config = { [Key in keyof typeof settings]: ReturnType<(typeof settings)[Key]['read']> }

/** Lists all invalid settings, one per line. */
class ConfigProblems extends OperatorError {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      [
        'Invalid settings:',
        ...problems.map((problem) => `  - ${problem}`),
        'See docs/configuration.md for all settings.',
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
  // Each value has the return type of its entry's `read`, as in Config. Invalid settings are missing.
  const config = Object.fromEntries(values) as Partial<Config>
  problems.push(...contradictions(config))
  if (problems.length > 0) throw new ConfigProblems(problems)
  return config as Config
}

function readSetting(entry: Setting<unknown>, env: Environment, problems: string[]): unknown {
  const fallback = typeof entry.default === 'function' ? entry.default(env) : entry.default
  try {
    const input = (entry.isSecret ? readSecret(entry.name, env) : env[entry.name]) || fallback
    if (input === undefined) throw new InvalidSetting('is not set.')
    return entry.read(input)
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error
    problems.push(`${entry.name} ${error.message}`)
    return undefined
  }
}

/** Reads a secret from the environment or from a file. Such files usually end with a line break. */
function readSecret(name: string, env: Environment): string | undefined {
  const path = env[`${name}_FILE`]
  if (!path) return env[name]
  if (env[name]) throw new InvalidSetting(`and ${name}_FILE are both set. Set one of them.`)
  const secret = readSecretFile(name, path)
  if (secret === '') throw new InvalidSetting(`is empty in ${path}.`)
  return secret
}

function readSecretFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd()
  } catch (error) {
    throw new InvalidSetting(`cannot be read from ${name}_FILE: ${String(error)}.`)
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
      `ALLOW_PRIVATE_TARGETS is only for local development: it requires a loopback BASE_URL, not ${baseUrl.host}.`,
    )
  if (publicPort !== undefined && publicPort !== 0 && publicPort === internalPort)
    problems.push(`PORT and INTERNAL_PORT are both ${publicPort}. Use different ports.`)
  if (smtpUrl !== undefined && mailFrom === '') problems.push('MAIL_FROM is not set. SMTP_URL requires it.')
  return problems
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

function setting<T>(entry: Setting<T>): Setting<T> {
  return entry
}

function text(input: string): string {
  return input
}

function boolean(input: string): boolean {
  const lower = input.toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(lower)) return true
  if (['false', '0', 'no', 'off'].includes(lower)) return false
  throw new InvalidSetting(`must be true or false, not "${input}".`)
}

function integer(input: string): number {
  if (!/^\d{1,9}$/.test(input)) throw new InvalidSetting(`must be an integer, not "${input}".`)
  return Number(input)
}

function positive(input: string): number {
  return atLeast(1)(input)
}

function atLeast(min: number): (input: string) => number {
  return (input) => {
    const value = integer(input)
    if (value < min) throw new InvalidSetting(`must be at least ${min}.`)
    return value
  }
}

function retention(input: string): number {
  const value = integer(input)
  if (value < minRetentionDays)
    throw new InvalidSetting(
      `must be at least ${minRetentionDays}, not ${input}: a delivery can be on hold for ${heldDays} days and then retried for ${maxRetryDays} days.`,
    )
  return value
}

function port(input: string): number {
  const value = integer(input)
  if (value > 65535) throw new InvalidSetting(`must be a port from 0 to 65535, not ${input}.`)
  return value
}

/** Error messages omit the input, because a database URL contains a password. */
function urlWith(protocols: readonly string[]): (input: string) => URL {
  return (input) => {
    const url = URL.parse(input)
    if (url === null || !protocols.includes(url.protocol) || url.hostname === '')
      throw new InvalidSetting(
        `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
      )
    return url
  }
}

function origin(input: string): URL {
  const url = urlWith(['http:', 'https:'])(input)
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new InvalidSetting('must be a URL without a path, such as https://hooks.example.com.')
  return url
}

function collectorUrl(input: string): URL {
  const url = urlWith(['http:', 'https:'])(input)
  if (url.search !== '' || url.hash !== '')
    throw new InvalidSetting('must be a URL without a query, such as http://localhost:4318.')
  return url
}

function key32(input: string): Buffer {
  const bytes = Buffer.from(input, 'base64')
  if (bytes.length !== 32 || bytes.toString('base64') !== input)
    throw new InvalidSetting('must be 32 bytes in base64. Create one with `openssl rand -base64 32`.')
  return bytes
}

function optional<T>(read: (input: string) => T): (input: string) => T | undefined {
  return (input) => (input === '' ? undefined : read(input))
}

function list<T>(read: (input: string) => T): (input: string) => T[] {
  return (input) =>
    input
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(read)
}

/** Error messages omit the input: headers contain tokens. */
function headerList(input: string): Record<string, string> {
  return Object.fromEntries(
    list((pair) => {
      const [, name, value] = /^([\w-]+)=([\x21-\x7e]*)$/.exec(pair) ?? []
      const decoded = value === undefined ? undefined : decodePercent(value)
      if (name === undefined || decoded === undefined)
        throw new InvalidSetting('must be pairs such as name=value, separated by commas.')
      return [name, decoded]
    })(input),
  )
}

/** Returns undefined for an invalid encoding, and for characters that a header cannot have. */
function decodePercent(value: string): string | undefined {
  try {
    const decoded = decodeURIComponent(value)
    return /^[\x20-\x7e]*$/.test(decoded) ? decoded : undefined
  } catch {
    return undefined
  }
}

function ratio(input: string): number {
  if (!/^(?:0|1|0?\.\d+|1\.0+)$/.test(input))
    throw new InvalidSetting(`must be a number from 0 to 1, not "${input}".`)
  return Number(input)
}

/** Parses the host as part of a URL, which normalizes it like the hosts of webhooks. */
function host(input: string): URL {
  const url = URL.parse(`http://${isIP(input) === 6 ? `[${input}]` : input}`)
  if (url === null || url.pathname !== '/' || url.port !== '')
    throw new InvalidSetting(`contains "${input}", which is not a host name or IP address.`)
  return url
}

function cidr(input: string): string {
  const [ip = '', prefix, ...rest] = input.split('/')
  const bits = isIP(ip) === 6 ? 128 : 32
  const isPrefixValid = prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits)
  if (isIP(ip) === 0 || !isPrefixValid || rest.length > 0)
    throw new InvalidSetting(`contains "${input}", which is not an IP address or network such as 10.0.0.0/8.`)
  return input
}

function credentialKind(input: string): CredentialKind {
  const kind = credentialKinds.find((candidate) => candidate === input)
  if (kind === undefined) throw new InvalidSetting(`contains "${input}". Use ${credentialKinds.join(', ')}.`)
  return kind
}

function timeZone(input: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: input }).resolvedOptions().timeZone
  } catch {
    throw new InvalidSetting(`must be an IANA time zone such as Europe/Berlin, not "${input}".`)
  }
}

function oneOf<const T extends string>(options: readonly T[]): (input: string) => T {
  return (input) => {
    const value = options.find((option) => option === input)
    if (value === undefined) throw new InvalidSetting(`must be one of ${options.join(', ')}, not "${input}".`)
    return value
  }
}
