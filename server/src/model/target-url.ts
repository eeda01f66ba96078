/**
 * The address of a webhook, judged once at registration. What is stored and listed is the text as given;
 * what will be called is the normalised form. Whether a *name* leads to a public address is only known when
 * it is resolved, so delivery judges that again at each attempt; literals are judged here and there alike.
 */
import { isIP } from 'node:net'
import { isLocalDevelopmentIp, isPublicIp } from './ip.ts'
import { Refusal } from './errors.ts'

export interface TargetUrlRules {
  maxBytes: number
  /** Opens loopback, RFC 1918 and single-label names with any port: local development only. */
  allowPrivate: boolean
  /** Names and IPs by which this installation itself is reached, lower case. */
  ownHosts: ReadonlySet<string>
  /** Ports of this installation's own listeners, refused on loopback. */
  ownPorts: ReadonlySet<number>
}

/** Names under these never lead to the public internet. */
const privateSuffixes = [
  'corp',
  'home.arpa',
  'internal',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'svc', // Kubernetes
]

/** Services above port 1023 that speak no HTTP or must not be reached by a forged request. */
const servicePorts: ReadonlySet<number> = new Set([
  1080, // SOCKS
  1433, // SQL Server
  1521, // Oracle
  1883, // MQTT
  2049, // NFS
  2375, // Docker
  2376, // Docker over TLS
  2379, // etcd
  2380, // etcd peers
  3128, // Squid
  3306, // MySQL
  3389, // RDP
  4222, // NATS
  5432, // PostgreSQL
  5672, // AMQP
  5900, // VNC
  5984, // CouchDB
  5985, // WinRM
  5986, // WinRM over TLS
  6000, // X11
  6222, // NATS routes
  6379, // Redis
  6443, // Kubernetes API
  6667, // IRC
  8086, // InfluxDB
  8222, // NATS monitoring
  9042, // Cassandra
  9092, // Kafka
  9200, // Elasticsearch
  9300, // Elasticsearch nodes
  10250, // kubelet
  10255, // kubelet, read-only
  11211, // memcached
  15672, // RabbitMQ management
  25672, // RabbitMQ nodes
  27017, // MongoDB
])

// Controls, format characters (zero-width, soft hyphen, bidi), line separators, lone surrogates and the backslash.
const forbiddenCharacters = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\]/u
const schemeAndHost = /^https?:\/\/([^/?#]+)/i
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** Returns the normalised address to call, or refuses. */
export function normaliseTargetUrl(text: string, rules: TargetUrlRules): string {
  if (Buffer.byteLength(text) > rules.maxBytes) refuse(`the address is longer than ${rules.maxBytes} bytes.`)
  if (forbiddenCharacters.test(text) || text.trim() !== text) malformed()

  const authority = schemeAndHost.exec(text)?.[1]
  if (authority === undefined) malformed()
  if (authority.includes('@')) refuse('user name and password cannot be part of the address; use headers.')

  const url = parse(text)
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))

  if (isIP(host)) judgeLiteral(host, rules)
  else judgeName(host, rules)
  judgePort(port, host, rules)

  return callUrlOf(url)
}

/** An address as it is called: what is behind `#` is never sent. */
export function callUrlOf(url: URL): string {
  const called = new URL(url)
  called.hash = ''
  return called.href
}

function parse(text: string): URL {
  const url = URL.parse(text)
  return url ?? malformed()
}

function judgeLiteral(ip: string, rules: TargetUrlRules): void {
  const open = isPublicIp(ip) || (rules.allowPrivate && isLocalDevelopmentIp(ip))
  if (!open) refuse('the address is not public.')
  if (rules.ownHosts.has(ip) && !isLocalDevelopmentIp(ip)) refuse('the address is this service itself.')
}

function judgeName(name: string, rules: TargetUrlRules): void {
  const labels = name.split('.')
  if (name.length > 253 || !labels.every((part) => label.test(part))) malformed()
  if (rules.allowPrivate && labels.length === 1) return
  if (labels.length === 1) refuse('the host needs a full name with a dot.')
  if (privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`)))
    refuse('the host name is not public.')
  if (rules.ownHosts.has(name)) refuse('the address is this service itself.')
}

function judgePort(port: number, host: string, rules: TargetUrlRules): void {
  const isSingleLabel = isIP(host) === 0 && !host.includes('.')
  const isLocal = isLocalDevelopmentIp(host) || isSingleLabel
  if (rules.allowPrivate && isLocal) {
    const isLoopback = host === 'localhost' || host === '::1' || host.startsWith('127.')
    if (isLoopback && rules.ownPorts.has(port)) refuse('the address is this service itself.')
    return
  }
  const open = port === 80 || port === 443 || (port >= 1024 && !servicePorts.has(port))
  if (!open)
    refuse(`port ${port} is not allowed; use 80, 443 or one from 1024 on that no known service uses.`)
}

/** Existing clients look for exactly this text when an address cannot be parsed. */
function malformed(): never {
  throw new Refusal('invalidUrl', 'Invalid URL')
}

function refuse(why: string): never {
  throw new Refusal('invalidUrl', `Invalid URL: ${why}`)
}
