/**
 * A DNS server on loopback, over UDP and TCP, for responses that a real resolver does not produce on demand: false,
 * looping, missing or private. Responses too large for a datagram are truncated over UDP and complete over TCP.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv4, type Socket } from 'node:net'

export interface DnsQuery {
  name: string
  type: 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'other'
  via: 'udp' | 'tcp'
}

export interface DnsResponse {
  rcode?: 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED'
  /** The chain from the queried name to the name that has the addresses. */
  cnames?: readonly string[]
  /** Of both families; each response contains those of the queried type. */
  addresses?: readonly string[]
  /** TXT records, each of any length. */
  texts?: readonly string[]
  isTruncated?: boolean
}

export interface DnsServer {
  /** In the format of DNS_SERVERS. */
  address: string
  queries: DnsQuery[]
  close: () => Promise<void>
}

/** Returns undefined for no response at all. */
export type Zone = (query: DnsQuery) => DnsResponse | undefined

const maxDatagramBytes = 512
const typeCodes = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 }
const rcodes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }

/** Port 0 picks any free port. */
export async function startDnsServer(zone: Zone, port = 0): Promise<DnsServer> {
  const queries: DnsQuery[] = []

  function reply(message: Buffer, via: DnsQuery['via']): Buffer | undefined {
    const query = readQuery(message, via)
    queries.push(query)
    const response = zone(query)
    if (response === undefined) return undefined
    const whole = encode(message, query, response)
    const fits = via === 'tcp' || (!response.isTruncated && whole.length <= maxDatagramBytes)
    return fits ? whole : encode(message, query, { isTruncated: true })
  }

  const connections = new Set<Socket>()
  const tcp = createServer((socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    socket.on('error', () => socket.destroy())
    let buffered = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      buffered = Buffer.concat([buffered, chunk])
      while (buffered.length >= 2 && buffered.length >= 2 + buffered.readUInt16BE(0)) {
        const end = 2 + buffered.readUInt16BE(0)
        const response = reply(buffered.subarray(2, end), 'tcp')
        buffered = buffered.subarray(end)
        if (response !== undefined) socket.write(Buffer.concat([uint16(response.length), response]))
      }
    })
  })
  tcp.listen(port, '127.0.0.1')
  await once(tcp, 'listening')
  const bound = tcp.address()
  if (bound === null || typeof bound === 'string') throw new Error('no port')

  const udp = createSocket('udp4')
  udp.on('message', (message, from) => {
    const response = reply(message, 'udp')
    if (response !== undefined) udp.send(response, from.port, from.address)
  })
  udp.bind(bound.port, '127.0.0.1')
  await once(udp, 'listening')

  return {
    address: `127.0.0.1:${bound.port}`,
    queries,
    async close() {
      udp.close()
      for (const socket of connections) socket.destroy()
      await new Promise((resolve) => tcp.close(resolve))
    },
  }
}

/** Returns the end of the only question, whose name is never compressed. */
function questionEnd(message: Buffer): number {
  let at = 12
  while (message[at] !== 0) at += 1 + (message[at] ?? 0)
  return at + 5
}

function readQuery(message: Buffer, via: DnsQuery['via']): DnsQuery {
  const end = questionEnd(message)
  const labels: string[] = []
  for (let at = 12; message[at] !== 0; at += 1 + (message[at] ?? 0))
    labels.push(message.toString('latin1', at + 1, at + 1 + (message[at] ?? 0)))
  const code = message.readUInt16BE(end - 4)
  const type =
    (['A', 'AAAA', 'CNAME', 'TXT'] as const).find((candidate) => typeCodes[candidate] === code) ?? 'other'
  return { name: labels.join('.').toLowerCase(), type, via }
}

function encode(message: Buffer, query: DnsQuery, response: DnsResponse): Buffer {
  const records: Buffer[] = []
  // A pointer to the queried name at byte 12.
  let owner = uint16(0xc0_0c)
  // A CNAME query gets the alias itself and not its target.
  const cnames = response.cnames?.slice(0, query.type === 'CNAME' ? 1 : undefined)
  for (const cname of cnames ?? []) {
    const name = encodeName(cname)
    records.push(record(owner, typeCodes.CNAME, name))
    owner = name
  }
  for (const ip of response.addresses ?? [])
    if (query.type === (isIPv4(ip) ? 'A' : 'AAAA'))
      records.push(record(owner, typeCodes[query.type], ipBytes(ip)))
  if (query.type === 'TXT')
    for (const text of response.texts ?? []) records.push(record(owner, typeCodes.TXT, textBytes(text)))
  // Flags: response, recursion desired, recursion available.
  const flags = 0x81_80 | (response.isTruncated ? 0x02_00 : 0) | rcodes[response.rcode ?? 'NOERROR']
  const header = [message.readUInt16BE(0), flags, 1, records.length, 0, 0].map(uint16)
  return Buffer.concat([...header, message.subarray(12, questionEnd(message)), ...records])
}

/** Encodes a record with a TTL of 0, so that resolvers do not cache it. */
function record(owner: Buffer, type: number, data: Buffer): Buffer {
  return Buffer.concat([owner, uint16(type), uint16(1), Buffer.alloc(4), uint16(data.length), data])
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.of(0)])
}

function ipBytes(ip: string): Buffer {
  if (isIPv4(ip)) return Buffer.from(ip.split('.').map(Number))
  const [head = [], tail = []] = ip.split('::').map((side) => side.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return Buffer.concat([...head, ...zeros, ...tail].map((group) => uint16(Number.parseInt(group, 16))))
}

/** A text longer than 255 bytes has several parts. */
function textBytes(text: string): Buffer {
  const parts = text.match(/.{1,255}/gs) ?? ['']
  return Buffer.concat(parts.flatMap((part) => [Buffer.of(part.length), Buffer.from(part)]))
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** Represents any public address; no test connects to it. */
export const publicIp = '93.184.216.34'

const namesUnderTestDns: Record<string, DnsResponse> = {
  'aaaa-loopback': { addresses: ['::1'] },
  'aaaa-mapped-127': { addresses: ['::ffff:7f00:1'] },
  'mixed-public-then-private': { addresses: [publicIp, '10.0.0.1'] },
  'mixed-private-then-public': { addresses: ['10.0.0.1', publicIp] },
  'a-public-aaaa-private': { addresses: [publicIp, 'fd00::1'] },
  'cname-to-localhost': { cnames: ['localhost'], addresses: ['127.0.0.1'] },
  'cname-to-public': { cnames: ['edge.example.com'], addresses: [publicIp] },
  'cname-loop': { cnames: ['other.t.test-dns', 'cname-loop.t.test-dns'] },
  'cname-chain-20': cnameChain(20),
  nxdomain: { rcode: 'NXDOMAIN' },
  servfail: { rcode: 'SERVFAIL' },
  'empty-answer': {},
  '4000-a-records': { addresses: Array.from({ length: 4_000 }, (_, n) => `93.184.${n >> 8}.${n & 255}`) },
  '16-a-records': { addresses: Array.from({ length: 16 }, (_, n) => `93.184.216.${n}`) },
  '17-a-records': { addresses: Array.from({ length: 17 }, (_, n) => `93.184.216.${n}`) },
  '127.0.0.1.nip.io-style': { addresses: ['127.0.0.1'] },
}

/** Returns `length` aliases, each numbered by the aliases left, and a public address at the end. */
function cnameChain(length: number): DnsResponse {
  const cnames = Array.from({ length }, (_, index) => `link-${length - 1 - index}.t.test-dns`)
  return { cnames, addresses: [publicIp] }
}

/** Internal names as the resolver of a company, a cloud or a cluster resolves them. */
const internalNames: Record<string, string> = {
  'metadata.goog': '169.254.169.254',
  'metadata.tencentyun.com': '169.254.0.23',
}
const internalSuffixes = /(^|\.)(localhost|localdomain|local|lan|internal|home\.arpa|corp|onion|svc)$/

/**
 * Resolves a name under `t.test-dns` as the name describes, internal names to an internal address, reserved names to
 * none, and every other name to one public address.
 */
export function describedZone(): Zone {
  const queryCounts = new Map<string, number>()
  return (query) => {
    const { name, type } = query
    const key = `${name} ${type}`
    const count = (queryCounts.get(key) ?? 0) + 1
    queryCounts.set(key, count)
    if (name.endsWith('.t.test-dns')) return respondTo(name.slice(0, -'.t.test-dns'.length), query, count)
    const internalIp = internalNames[name]
    if (internalIp !== undefined) return { addresses: [internalIp] }
    if (internalSuffixes.test(name) || !name.includes('.')) return { addresses: ['10.0.0.5'] }
    if (/\.(test|invalid|example)$/.test(name)) return { rcode: 'NXDOMAIN' }
    return { addresses: [publicIp] }
  }
}

function respondTo(label: string, { type, via }: DnsQuery, count: number): DnsResponse | undefined {
  const remaining = /^link-(\d+)$/.exec(label)?.[1]
  if (remaining !== undefined) return cnameChain(Number(remaining))
  const literal = /^a-(\d+)-(\d+)-(\d+)-(\d+)$/.exec(label)
  if (literal !== null) return { addresses: [literal.slice(1).join('.')] }
  switch (label) {
    case 'rebind-ttl0-public-then-127':
      return { addresses: [count === 1 ? publicIp : '127.0.0.1'] }
    case 'tcp-truncated':
      return via === 'udp' ? { isTruncated: true } : { addresses: [publicIp] }
    case 'tcp-truncated-private':
      return via === 'udp' ? { isTruncated: true, addresses: [publicIp] } : { addresses: ['10.0.0.1'] }
    case 'never-answers':
      return undefined
    case 'a-public-aaaa-silent':
      return type === 'A' ? { addresses: [publicIp] } : undefined
    case 'three-a-records':
      return { addresses: ['93.184.216.1', '93.184.216.2', '93.184.216.3'] }
    default:
      return namesUnderTestDns[label] ?? { rcode: 'NXDOMAIN' }
  }
}
