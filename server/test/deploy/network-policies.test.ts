/** Checks which connections the NetworkPolicies allow, and compares the allowed receivers with the server's own rules. */
import { BlockList, isIPv4 } from 'node:net'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer'
import type { INetworkPolicyPort } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPort'
import { describe, expect, test } from 'vitest'
import { publicNetworks } from '../../src/model/ip.ts'
import addresses from '../support/fixtures/addresses.json' with { type: 'json' }
import { type KubernetesObject, renderComponents, renderOverlay } from './render.ts'
import { matches, ofKind, workload } from './workloads.ts'

const plain = renderOverlay('small')
const withAll = renderComponents(['nats', 'smtp', 'sso', 'tracing'])

const dns = 'namespace kubernetes.io/metadata.name=kube-system pod k8s-app=kube-dns: UDP 53, TCP 53'
const database = 'namespace hookline/database=true: TCP 5432'
const nats = 'namespace hookline/nats=true: TCP 4222'
const smtp = '192.0.2.25/32: TCP 465, TCP 587'
const collector = 'namespace hookline/collector=true: TCP 4318'
const publicPorts = 'TCP 80, TCP 443, TCP 1024-65535'
const receivers = [`0.0.0.0/0 except 16: ${publicPorts}`, `2000::/3 except 5: ${publicPorts}`]
const providers = ['0.0.0.0/0 except 16: TCP 443', '2000::/3 except 5: TCP 443']
const ownUrls = 'namespace hookline/ingress=true: TCP 443, TCP 8443'

describe('egress', () => {
  test.each([
    ['migrate', plain, [database, dns]],
    ['api', plain, [database, dns]],
    ['worker', plain, [database, dns, ...receivers, ownUrls]],
    ['migrate', withAll, [database, dns]],
    ['api', withAll, [database, dns, nats, smtp, ...providers, collector]],
    ['worker', withAll, [database, dns, nats, smtp, collector, ...receivers, ownUrls]],
  ])('of %s is limited', (role, objects, expected) => {
    expect(peers(objects, role, 'egress')).toEqual(expected)
  })
})

describe('ingress', () => {
  const metrics = 'namespace hookline/metrics=true: TCP 8081'
  test.each([
    ['migrate', []],
    [
      'api',
      ['namespace hookline/ingress=true: TCP 8080', 'namespace hookline/gateway=true: TCP 8081', metrics],
    ],
    ['worker', [metrics]],
  ])('of %s is limited', (role, expected) => {
    expect(peers(plain, role, 'ingress')).toEqual(expected)
  })
})

test('everything else is denied, for every pod', () => {
  const all = ofKind<INetworkPolicy>(plain, 'NetworkPolicy').filter(
    ({ spec }) => JSON.stringify(spec?.podSelector) === '{}' && !spec?.egress && !spec?.ingress,
  )
  expect(all.map(({ spec }) => spec?.policyTypes)).toEqual([['Ingress', 'Egress']])
})

describe('receivers', () => {
  test('are the addresses that the server allows', () => {
    const blocks = rules(plain, 'worker', 'egress').flatMap(({ peer }) => peer.ipBlock ?? [])
    expect(blocks).toEqual([publicNetworks.ipv4, publicNetworks.ipv6])
  })

  test('and identity providers are the same addresses', () => {
    const blocks = rules(withAll, 'api', 'egress').flatMap(({ peer }) => peer.ipBlock ?? [])
    for (const block of [publicNetworks.ipv4, publicNetworks.ipv6]) expect(blocks).toContainEqual(block)
  })

  test.each(addresses.deny)('at %s cannot be reached', (ip) => {
    expect(canReach(plain, ip)).toBe(false)
  })

  test.each(addresses.allow)('at %s can be reached', (ip) => {
    expect(canReach(plain, ip)).toBe(true)
  })

  test('include an address of the fixtures if a range is missing in the policy', () => {
    const ranges = [...publicNetworks.ipv4.except, ...publicNetworks.ipv6.except]
    const unnoticed = ranges.filter((range) => {
      const objects = structuredClone(plain)
      for (const { peer } of rules(objects, 'worker', 'egress'))
        if (peer.ipBlock?.except) peer.ipBlock.except = peer.ipBlock.except.filter((one) => one !== range)
      return !addresses.deny.some((ip) => canReach(objects, ip))
    })
    expect(unnoticed).toEqual([])
  })
})

type Direction = 'egress' | 'ingress'

interface AllowedPeer {
  peer: INetworkPolicyPeer
  ports: INetworkPolicyPort[]
}

/** Returns what the policies for the pods of a role allow, in the order of their names. */
function rules(objects: KubernetesObject[], role: string, direction: Direction): AllowedPeer[] {
  const { labels } = workload(objects, role)
  return ofKind<INetworkPolicy>(objects, 'NetworkPolicy')
    .filter(({ spec }) => matches(spec?.podSelector ?? {}, labels))
    .flatMap(({ spec }) => {
      const ingress = (spec?.ingress ?? []).map(({ from = [{}], ports = [] }) => ({ peers: from, ports }))
      const egress = (spec?.egress ?? []).map(({ to = [{}], ports = [] }) => ({ peers: to, ports }))
      return direction === 'ingress' ? ingress : egress
    })
    .flatMap(({ peers: allowed, ports }) => allowed.map((peer) => ({ peer, ports })))
}

function peers(objects: KubernetesObject[], role: string, direction: Direction): string[] {
  return rules(objects, role, direction).map(
    ({ peer, ports }) => `${describePeer(peer)}: ${describePorts(ports)}`,
  )
}

function describePeer({ namespaceSelector, podSelector, ipBlock }: INetworkPolicyPeer): string {
  if (ipBlock) return `${ipBlock.cidr}${ipBlock.except ? ` except ${ipBlock.except.length}` : ''}`
  const pod = podSelector ? ` pod ${describeLabels(podSelector.matchLabels)}` : ''
  return `namespace ${describeLabels(namespaceSelector?.matchLabels)}${pod}`
}

function describeLabels(labels: Record<string, string> = {}): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}

function describePorts(ports: INetworkPolicyPort[]): string {
  return ports
    .map(({ protocol, port, endPort }) => `${protocol} ${port}${endPort ? `-${endPort}` : ''}`)
    .join(', ')
}

/** Returns whether a worker can connect to an address outside of the cluster. */
function canReach(objects: KubernetesObject[], ip: string): boolean {
  const family = isIPv4(ip) ? 'ipv4' : 'ipv6'
  const isIn = (cidr: string): boolean => {
    const [network = '', prefix] = cidr.split('/')
    if ((isIPv4(network) ? 'ipv4' : 'ipv6') !== family) return false
    const list = new BlockList()
    list.addSubnet(network, Number(prefix), family)
    return list.check(ip, family)
  }
  return rules(objects, 'worker', 'egress').some(
    ({ peer: { ipBlock } }) => ipBlock && isIn(ipBlock.cidr) && !ipBlock.except?.some(isIn),
  )
}
