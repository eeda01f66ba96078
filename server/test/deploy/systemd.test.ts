/** Compares the systemd units with the rules of the server. */
import { readFileSync } from 'node:fs'
import { BlockList, isIPv6 } from 'node:net'
import { describe, expect, test } from 'vitest'
import { publicNetworks } from '../../src/model/ip.ts'
import addresses from '../support/fixtures/addresses.json' with { type: 'json' }

const unit = readFileSync(
  new URL('../../../deploy/systemd/hookline-worker@.service', import.meta.url),
  'utf8',
)
const denied = [...unit.matchAll(/^IPAddressDeny=(.*)$/gm)].flatMap(([, value = '']) => value.split(' '))
const loopback = '127.0.0.0/8'

describe('the kernel barrier of workers', () => {
  test('denies the IPv4 networks that the server denies, but for loopback', () => {
    const expected = publicNetworks.ipv4.except.filter((network) => network !== loopback)
    expect(denied.filter((network) => !isIPv6Network(network))).toEqual(expected)
  })

  test.each(addresses.deny.filter((ip) => !isLoopback(ip)))('denies %s', (ip) => {
    expect(isDenied(ip)).toBe(true)
  })

  test.each(addresses.allow)('allows %s', (ip) => {
    expect(isDenied(ip)).toBe(false)
  })
})

/** One list per version: a BlockList would also match IPv4 addresses against networks of IPv6. */
function isDenied(ip: string): boolean {
  const version = isIPv6(ip) ? 'ipv6' : 'ipv4'
  const list = new BlockList()
  for (const network of denied.filter((one) => isIPv6Network(one) === isIPv6(ip))) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), version)
  }
  return list.check(ip, version)
}

function isIPv6Network(network: string): boolean {
  return network.includes(':')
}

function isLoopback(ip: string): boolean {
  return ip.startsWith('127.')
}
