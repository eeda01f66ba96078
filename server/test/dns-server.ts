/**
 * A real DNS server on loopback, over UDP and TCP, for what no resolver of ours can be trusted to do: lie, loop, stay
 * silent, give a private address. What does not fit into a datagram is truncated there and complete over TCP.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv4, type Socket } from 'node:net'

export interface DnsQuery {
  name: string
  type: 'A' | 'AAAA' | 'CNAME' | 'other'
  via: 'udp' | 'tcp'
}

export interface DnsAnswer {
  rcode?: 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED'
  /** The chain from the name that was asked for to the one that has the addresses. */
  cnames?: readonly string[]
  /** Of both families; each question gets its own. */
  addresses?: readonly string[]
  isTruncated?: boolean
}

export interface DnsServer {
  /** As DNS_SERVERS wants it. */
  address: string
  queries: DnsQuery[]
  close: () => Promise<void>
}

/** Undefined: no answer at all. */
export type Zone = (query: DnsQuery) => DnsAnswer | undefined

const largestDatagramBytes = 512
const typeCodes = { A: 1, CNAME: 5, AAAA: 28 }
const rcodes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }

/** `port` 0: any that is free. */
export async function startDnsServer(zone: Zone, port = 0): Promise<DnsServer> {
  const queries: DnsQuery[] = []

  function reply(message: Buffer, via: DnsQuery['via']): Buffer | undefined {
    const query = readQuery(message, via)
    queries.push(query)
    const answer = zone(query)
    if (answer === undefined) return undefined
    const whole = encode(message, query, answer)
    const fits = via === 'tcp' || (!answer.isTruncated && whole.length <= largestDatagramBytes)
    return fits ? whole : encode(message, query, { isTruncated: true })
  }

  const connections = new Set<Socket>()
  const tcp = createServer((socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    socket.on('error', () => socket.destroy())
    let waiting = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk])
      while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
        const end = 2 + waiting.readUInt16BE(0)
        const answer = reply(waiting.subarray(2, end), 'tcp')
        waiting = waiting.subarray(end)
        if (answer !== undefined) socket.write(Buffer.concat([uint16(answer.length), answer]))
      }
    })
  })
  tcp.listen(port, '127.0.0.1')
  await once(tcp, 'listening')
  const bound = tcp.address()
  if (bound === null || typeof bound === 'string') throw new Error('no port')

  const udp = createSocket('udp4')
  udp.on('message', (message, from) => {
    const answer = reply(message, 'udp')
    if (answer !== undefined) udp.send(answer, from.port, from.address)
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

/** The end of the only question, whose name is never compressed. */
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
  const type = (['A', 'AAAA', 'CNAME'] as const).find((known) => typeCodes[known] === code) ?? 'other'
  return { name: labels.join('.').toLowerCase(), type, via }
}

function encode(message: Buffer, query: DnsQuery, answer: DnsAnswer): Buffer {
  const records: Buffer[] = []
  // The name that was asked for stands at byte 12.
  let owner = uint16(0xc0_0c)
  // Who asks for the alias itself gets it and not what it leads to.
  const cnames = answer.cnames?.slice(0, query.type === 'CNAME' ? 1 : undefined)
  for (const cname of cnames ?? []) {
    const name = encodeName(cname)
    records.push(record(owner, typeCodes.CNAME, name))
    owner = name
  }
  for (const ip of answer.addresses ?? [])
    if (query.type === (isIPv4(ip) ? 'A' : 'AAAA'))
      records.push(record(owner, typeCodes[query.type], ipBytes(ip)))
  // An answer, recursion was desired and is available.
  const flags = 0x81_80 | (answer.isTruncated ? 0x02_00 : 0) | rcodes[answer.rcode ?? 'NOERROR']
  const header = [message.readUInt16BE(0), flags, 1, records.length, 0, 0].map(uint16)
  return Buffer.concat([...header, message.subarray(12, questionEnd(message)), ...records])
}

/** With a time to live of 0, so that nobody has a reason to remember it. */
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

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** Stands for any public address; nobody ever connects to it from a test. */
export const publicIp = '93.184.216.34'

const namesUnderTestDns: Record<string, DnsAnswer> = {
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

/** So many aliases, each counting those that are left, and a public address at the end. */
function cnameChain(length: number): DnsAnswer {
  const cnames = Array.from({ length }, (_, index) => `link-${length - 1 - index}.t.test-dns`)
  return { cnames, addresses: [publicIp] }
}

/** Names that lead inside: what a resolver of a company, a cloud or a cluster would say. */
const insideNames: Record<string, string> = {
  'metadata.goog': '169.254.169.254',
  'metadata.tencentyun.com': '169.254.0.23',
}
const insideSuffixes = /(^|\.)(localhost|localdomain|local|lan|internal|home\.arpa|corp|onion|svc)$/

/**
 * Answers a name under `t.test-dns` as the name describes, names that lead inside with an inside address, reserved ones
 * with none, and every other name with one public address.
 */
export function describedZone(): Zone {
  const asked = new Map<string, number>()
  return (query) => {
    const { name, type } = query
    const key = `${name} ${type}`
    const count = (asked.get(key) ?? 0) + 1
    asked.set(key, count)
    if (name.endsWith('.t.test-dns')) return described(name.slice(0, -'.t.test-dns'.length), query, count)
    const inside = insideNames[name]
    if (inside !== undefined) return { addresses: [inside] }
    if (insideSuffixes.test(name) || !name.includes('.')) return { addresses: ['10.0.0.5'] }
    if (/\.(test|invalid|example)$/.test(name)) return { rcode: 'NXDOMAIN' }
    return { addresses: [publicIp] }
  }
}

function described(label: string, { type, via }: DnsQuery, count: number): DnsAnswer | undefined {
  const left = /^link-(\d+)$/.exec(label)?.[1]
  if (left !== undefined) return cnameChain(Number(left))
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
