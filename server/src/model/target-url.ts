/**
 * The endpoint URL of a webhook, validated at registration. The text is stored and listed as sent; the normalized
 * form is called. Whether a host name resolves to a public address is only known on resolution. So delivery checks
 * that on each attempt. Literal addresses are checked in both places.
 */
import { isIP } from 'node:net'
import { isLocalDevelopmentIp, isPublicIp } from './ip.ts'
import { ApiError } from './errors.ts'

export interface TargetUrlRules {
  maxBytes: number
  /** Allows loopback, RFC 1918 and single-label names with any port: local development only. */
  allowPrivate: boolean
  /** Host names and IP addresses of this installation, lower case. */
  ownHosts: ReadonlySet<string>
  /** Ports of this installation's listeners, rejected on loopback. */
  ownPorts: ReadonlySet<number>
}

/** Names with these suffixes are never on the public internet. */
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

/** Ports above 1023 of services that are not HTTP or must not receive forged requests. */
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

// Control and format characters (zero-width, soft hyphen, bidi), line separators, lone surrogates and the backslash.
const forbiddenCharacters = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\]/u
const schemeAndHost = /^https?:\/\/([^/?#]+)/i
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** Returns the normalized URL to call, or throws. */
export function normalizeTargetUrl(text: string, rules: TargetUrlRules): string {
  if (Buffer.byteLength(text) > rules.maxBytes) reject(`longer than ${rules.maxBytes} bytes.`)
  if (forbiddenCharacters.test(text) || text.trim() !== text) malformed()

  const authority = schemeAndHost.exec(text)?.[1]
  if (authority === undefined) malformed()
  if (authority.includes('@')) reject('user name and password are not allowed; use headers.')

  const url = parse(text)
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))

  if (isIP(host)) validateLiteral(host, rules)
  else validateName(host, rules)
  validatePort(port, host, rules)

  return callUrlOf(url)
}

/**
 * Returns the text with its scheme if only that is missing, and null otherwise: `http://` for localhost and private
 * addresses, which rarely have a certificate, and `https://` for all others.
 */
export function suggestTargetUrl(text: string, rules: TargetUrlRules): string | null {
  const trimmed = text.trim()
  const rest = trimmed.replace(/^(?:https?:\/?(?!\/)|\/\/|:\/\/)/i, '')
  const host = /^[^/?#:]*/.exec(rest)?.[0].toLowerCase() ?? ''
  const isLocal = host === 'localhost' || (isIP(host) > 0 && !isPublicIp(host))
  // Another single word is more likely a typing error than a host name.
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(rest) || !(isLocal || /^[^/?#]*\.[^/?#]/.test(rest))) return null
  const suggestion = `${isLocal ? 'http' : 'https'}://${rest}`
  try {
    normalizeTargetUrl(suggestion, rules)
    return suggestion
  } catch {
    return null
  }
}

/** Returns the URL to call: the fragment is never sent. */
export function callUrlOf(url: URL): string {
  const callUrl = new URL(url)
  callUrl.hash = ''
  return callUrl.href
}

function parse(text: string): URL {
  const url = URL.parse(text)
  return url ?? malformed()
}

function validateLiteral(ip: string, rules: TargetUrlRules): void {
  const isAllowed = isPublicIp(ip) || (rules.allowPrivate && isLocalDevelopmentIp(ip))
  if (!isAllowed) reject('the address is not public.')
  if (rules.ownHosts.has(ip) && !isLocalDevelopmentIp(ip)) reject('it points to Hookline itself.')
}

function validateName(name: string, rules: TargetUrlRules): void {
  const labels = name.split('.')
  if (name.length > 253 || !labels.every((part) => label.test(part))) malformed()
  if (rules.allowPrivate && labels.length === 1) return
  if (labels.length === 1) reject('the host needs a fully qualified name.')
  if (privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`)))
    reject('the host name is not public.')
  if (rules.ownHosts.has(name)) reject('it points to Hookline itself.')
}

function validatePort(port: number, host: string, rules: TargetUrlRules): void {
  const isSingleLabel = isIP(host) === 0 && !host.includes('.')
  const isLocal = isLocalDevelopmentIp(host) || isSingleLabel
  if (rules.allowPrivate && isLocal) {
    const isLoopback = host === 'localhost' || host === '::1' || host.startsWith('127.')
    if (isLoopback && rules.ownPorts.has(port)) reject('it points to Hookline itself.')
    return
  }
  const isAllowed = port === 80 || port === 443 || (port >= 1024 && !servicePorts.has(port))
  if (!isAllowed)
    reject(`port ${port} is not allowed; use 80, 443, or a port above 1023 that no known service uses.`)
}

/** Existing clients check for exactly this text if a URL cannot be parsed. */
function malformed(): never {
  throw new ApiError('invalidUrl', 'Invalid URL')
}

function reject(reason: string): never {
  throw new ApiError('invalidUrl', `Invalid URL: ${reason}`)
}

const maxEndpointLength = 200

/** Returns host and path, by which users recognize a webhook without a name. Credentials and query may be secret. */
export function endpointOf(targetUrl: string): string {
  const url = URL.parse(targetUrl.trim())
  const endpoint = url === null ? targetUrl : `${url.host}${url.pathname === '/' ? '' : url.pathname}`
  return endpoint.length > maxEndpointLength ? `${endpoint.slice(0, maxEndpointLength)}…` : endpoint
}
