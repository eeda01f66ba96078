/**
 * Classifies IP addresses as public, that is, allowed as targets. IPv4 uses a deny list, IPv6 an allow list: IPv4 is
 * fully allocated, while most of IPv6 is unallocated and must stay closed by default. Registration checks literal
 * addresses with this, and delivery checks every resolved address.
 */
import { BlockList, isIP } from 'node:net'

/** The public networks, each with the networks in it that are not public. */
export const publicNetworks = {
  ipv4: {
    cidr: '0.0.0.0/0',
    except: [
      '0.0.0.0/8', // this network
      '10.0.0.0/8', // private
      '100.64.0.0/10', // carrier NAT; also Alibaba's metadata service
      '127.0.0.0/8', // loopback
      '168.63.129.16/32', // Azure's platform address
      '169.254.0.0/16', // link-local; metadata services
      '172.16.0.0/12', // private
      '192.0.0.0/24', // protocol assignments; Oracle's metadata service
      '192.0.2.0/24', // documentation
      '192.88.99.0/24', // former 6to4 relays
      '192.168.0.0/16', // private
      '198.18.0.0/15', // benchmarks
      '198.51.100.0/24', // documentation
      '203.0.113.0/24', // documentation
      '224.0.0.0/4', // multicast
      '240.0.0.0/4', // reserved, broadcast
    ],
  },
  ipv6: {
    cidr: '2000::/3',
    except: [
      '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID and more
      '2001:db8::/32', // documentation
      '2002::/16', // 6to4: wraps any IPv4 address
      '3ffe::/16', // former 6bone
      '3fff::/20', // documentation
    ],
  },
}

const notPublicIpv4 = subnets('ipv4', publicNetworks.ipv4.except)
const globalIpv6 = subnets('ipv6', [publicNetworks.ipv6.cidr])
const notPublicWithinGlobalIpv6 = subnets('ipv6', publicNetworks.ipv6.except)

const localDevelopment = subnets('ipv4', ['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'])
localDevelopment.addAddress('::1', 'ipv6')

/** Returns the address without port and brackets; undefined for anything else, such as an address with a zone. */
export function plainIp(text: string): string | undefined {
  const withoutPort =
    /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text
  const plain = withoutPort.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(plain) === 0 || plain.includes('%') ? undefined : plain
}

/** Returns the smallest network of one subscriber: an IPv4 address, or a /64 of IPv6. */
export function networkOf(ip: string): string {
  return networksOf(ip)[0]
}

/**
 * Returns the networks of an address, smallest first: an IPv4 address alone, or the /64, /56 and /48 of an IPv6
 * address. Providers delegate any of the three to one subscriber, who can use all addresses in it.
 */
export function networksOf(input: string): [string, ...string[]] {
  const ip = plainIp(input) ?? input
  if (isIP(ip) !== 6) return [ip]
  const [head = '', tail] = ip.toLowerCase().split('::')
  const groups = head.split(':').filter((group) => group !== '')
  if (tail !== undefined) {
    const rest = tail.split(':').filter((group) => group !== '')
    while (groups.length + rest.length < 8) groups.push('0')
    groups.push(...rest)
  }
  const [first = 0, second = 0, third = 0, fourth = 0] = groups.map((group) => Number.parseInt(group, 16))
  const prefix = (last: number, bits: number) =>
    `${[first, second, third, last].map((group) => group.toString(16)).join(':')}/${bits}`
  return [prefix(fourth, 64), prefix(fourth & 0xff00, 56), prefix(0, 48)]
}

export function isPublicIp(ip: string): boolean {
  const version = isIP(ip)
  if (version === 4) return !notPublicIpv4.check(ip, 'ipv4')
  if (version === 6) return globalIpv6.check(ip, 'ipv6') && !notPublicWithinGlobalIpv6.check(ip, 'ipv6')
  return false
}

/** Loopback and RFC 1918, allowed by ALLOW_PRIVATE_TARGETS; never link-local or metadata addresses. */
export function isLocalDevelopmentIp(ip: string): boolean {
  const version = isIP(ip)
  // An IPv4-mapped IPv6 address would match the IPv4 rules. It is not allowed.
  if (version === 6) return localDevelopment.check(ip, 'ipv6') && !ip.includes('ffff')
  return version === 4 && localDevelopment.check(ip, 'ipv4')
}

/** Whether the text is an IP address, or a network in CIDR notation without bits of a host. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return false
  if (prefix === undefined) return true
  const bits = version === 4 ? 32 : 128
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bits) return false
  return (addressBits(address) & ((1n << BigInt(bits - Number(prefix))) - 1n)) === 0n
}

function addressBits(ip: string): bigint {
  if (isIP(ip) === 4) return ip.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
  // The URL parser writes an IPv4 address at the end of an IPv6 address as two groups.
  const [head = '', tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail ?? ''].map((side) => side.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0')
  return [...(first ?? []), ...zeros, ...(last ?? [])].reduce(
    (sum, group) => (sum << 16n) | BigInt(`0x${group}`),
    0n,
  )
}

function subnets(family: 'ipv4' | 'ipv6', networks: string[]): BlockList {
  const list = new BlockList()
  for (const cidr of networks) {
    const [network = '', prefix] = cidr.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}
