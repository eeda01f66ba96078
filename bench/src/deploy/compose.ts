/**
 * `npm run prove -- compose`: starts the Compose file with podman-compose, with PostgreSQL, NATS and nginx from Debian
 * packages, and delivers an event through it. Secrets must not be in the environment of a container, and the api must
 * see the addresses of clients behind nginx.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { freePort } from '../../../dev/ports.ts'
import { startReceiver } from '../../../dev/receiver.ts'
import { type Cleanup, createCleanup } from '../support/cleanup.ts'
import { succeeds } from '../support/succeeds.ts'
import { waitFor } from '../support/wait-for.ts'
import { buildDebianServices } from './debian-services.ts'
import { buildImageOfCommit } from './image-build.ts'
import { containerEnv, podman } from './podman.ts'
import { type Deployment, tryOut, waitUntilReady } from './try-out.ts'

const run = promisify(execFile)
const deployFolder = fileURLToPath(new URL('../../../deploy/', import.meta.url))
const project = 'hookline-prove'
const subnet = '10.211.37.0/24'
const gateway = '10.211.37.1'
const cli = ['/usr/bin/node', '/opt/hookline/dist/cli.js']
const container = (name: string): string => `${project}_${name}`
const processes = ['api_1', 'worker_1', 'worker_2'].map(container)

/** Webhooks may target the receiver of this proof, in the network of the containers. */
const overrides = `services:
  api: { environment: { ALLOW_PRIVATE_TARGETS: 'true' } }
  worker: { environment: { ALLOW_PRIVATE_TARGETS: 'true' } }
`

export async function proveCompose(): Promise<void> {
  const cleanup = createCleanup()
  try {
    const folder = await mkdtemp(join(tmpdir(), 'hookline-compose-'))
    cleanup.push(() => rm(folder, { recursive: true }))
    const ports = { http: await freePort(), https: await freePort(), internal: await freePort() }
    const { healthCheck } = await startCompose(folder, ports, cleanup)
    const receiver = await startReceiver(undefined, gateway)
    cleanup.push(() => receiver.close())

    const deployment = {
      admin: (args: readonly string[]): Promise<string> =>
        podman('exec', container('api_1'), ...cli, 'admin', ...args),
      url: `https://localhost:${ports.https}`,
      internalUrl: `http://127.0.0.1:${ports.internal}`,
    }
    await waitUntilReady(deployment.internalUrl)
    for (const name of processes)
      await waitFor(`the health check of ${name}`, () => succeeds(podman('exec', name, ...healthCheck)))
    const { accountId } = await tryOut(deployment, receiver)
    console.log('an api, two workers, PostgreSQL, NATS and nginx with TLS delivered an event')
    await checkRedirect(ports.http)
    await checkClientAddress(deployment, accountId)
    for (const name of processes) await checkContainer(name, join(folder, 'compose/secrets'))
    console.log('\ncompose: passed')
  } finally {
    await cleanup.run()
  }
}

interface Ports {
  http: number
  https: number
  internal: number
}

async function startCompose(
  folder: string,
  ports: Ports,
  cleanup: Cleanup,
): Promise<{ healthCheck: string[] }> {
  for (const part of ['compose', 'nginx'])
    await cp(join(deployFolder, part), join(folder, part), { recursive: true })
  const cwd = join(folder, 'compose')
  await run('./setup.sh', ['localhost'], { cwd })
  const certificate = await readFile(join(cwd, 'secrets/tls-certificate.pem'), 'utf8')
  setDefaultCACertificates([...getCACertificates('default'), certificate])
  const file = join(cwd, 'compose.yaml')
  const text = await readFile(file, 'utf8')
  // podman-compose 1.0 runs every health check in a shell, which the image does not have.
  await writeFile(file, text.replaceAll(/ *healthcheck: \*health\n/g, ''))
  await writeFile(join(cwd, 'overrides.yaml'), overrides)

  const services = await buildDebianServices(join(folder, 'image'))
  const env = {
    ...containerEnv,
    HOOKLINE_IMAGE: await buildImageOfCommit(),
    POSTGRES_IMAGE: services,
    NGINX_IMAGE: services,
    NATS_IMAGE: services,
    BASE_URL: `https://localhost:${ports.https}`,
    HTTP_PORT: `127.0.0.1:${ports.http}`,
    HTTPS_PORT: `127.0.0.1:${ports.https}`,
    INTERNAL_BIND: `127.0.0.1:${ports.internal}`,
    FRONT_SUBNET: subnet,
  }
  // podman-compose 1.0 ignores the subnet of a network, and uses a network that exists.
  cleanup.push(() => removeNetworks())
  await podman('network', 'create', `--subnet=${subnet}`, `--gateway=${gateway}`, `${project}_front`)
  const files = ['compose.yaml', 'compose.nats.yaml', 'overrides.yaml'].map((name) => `--file=${name}`)
  const compose = (...args: string[]): Promise<unknown> =>
    run('podman-compose', [...files, `--project-name=${project}`, ...args], { cwd, env, maxBuffer: 1e8 })
  cleanup.push(() => compose('down', '--volumes', '--timeout=5'))
  await compose('up', '--detach')
  return { healthCheck: parse(text)['x-health'].test.slice(1) }
}

async function removeNetworks(): Promise<void> {
  await podman(
    'network',
    'rm',
    '--force',
    ...['front', 'back', 'outbound'].map((name) => `${project}_${name}`),
  )
}

async function checkRedirect(port: number): Promise<void> {
  const { status } = await fetch(`http://localhost:${port}/webhooks`, { redirect: 'manual' })
  if (status !== 301) throw new Error(`HTTP responded with status ${status} instead of a redirect to HTTPS`)
}

/** Without the address of the client, all clients would share one limit, and keys could not be bound to addresses. */
async function checkClientAddress({ admin, url }: Deployment, accountId: number): Promise<void> {
  const statusWithKeyFor = async (ip: string): Promise<number> => {
    const create = [
      'key',
      'create',
      '--account',
      String(accountId),
      '--name',
      ip,
      '--allow-ips',
      ip,
      '--json',
    ]
    const { key } = JSON.parse(await admin(create))
    return (await fetch(`${url}/api/hooks`, { headers: { 'x-api-key': key } })).status
  }
  const statuses = `${await statusWithKeyFor(gateway)} ${await statusWithKeyFor('192.0.2.1')}`
  if (statuses !== '200 403') throw new Error(`keys for two client addresses responded ${statuses}`)
  console.log('the api sees the addresses of clients')
}

async function checkContainer(name: string, secretsFolder: string): Promise<void> {
  const [details] = JSON.parse(await podman('inspect', name))
  const { ReadonlyRootfs, CapDrop, Memory } = details.HostConfig
  if (!ReadonlyRootfs || CapDrop.length === 0 || Memory === 0 || details.Config.User !== '10001:10001')
    throw new Error(`${name} runs with more rights or memory than the Compose file allows`)
  for (const file of await readdir(secretsFolder)) {
    const secret = (await readFile(join(secretsFolder, file), 'utf8')).trim()
    if (JSON.stringify(details.Config.Env).includes(secret))
      throw new Error(`the environment of ${name} contains the secret ${file}`)
  }
}
