/** Runs nginx with the shipped configuration and a self-signed certificate. */
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Cleanup } from '../support/cleanup.ts'
import { startServer } from '../support/servers.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Customer, sendEvent } from './try-out.ts'

const run = promisify(execFile)
const shippedFile = fileURLToPath(new URL('../../../deploy/nginx/hookline.conf', import.meta.url))
const maxTailMs = 5_000

interface Upstream {
  url: string
  tls: { port: number; plainPort: number }
}

interface Proxy {
  url: string
  plainUrl: string
  certificate: string
}

export async function startProxy({ url, tls }: Upstream, cleanup: Cleanup): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-proxy-'))
  cleanup.push(() => rm(folder, { recursive: true }))
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key]
  await run('openssl', ['req', '-x509', ...keyOptions, '-out', certificate, '-days', '2', ...subject])
  const site = replaceAll(await readFile(shippedFile, 'utf8'), {
    'listen 80': `listen 127.0.0.1:${tls.plainPort}`,
    'listen [::]:80': `listen [::1]:${tls.plainPort}`,
    'listen 443': `listen 127.0.0.1:${tls.port}`,
    'listen [::]:443': `listen [::1]:${tls.port}`,
    'server 127.0.0.1:8080': `server ${new URL(url).host}`,
    '/etc/letsencrypt/live/hooks.example.com/fullchain.pem': certificate,
    '/etc/letsencrypt/live/hooks.example.com/privkey.pem': key,
    'hooks.example.com': 'localhost',
  })
  await writeFile(join(folder, 'hookline.conf'), site)
  await writeFile(join(folder, 'nginx.conf'), mainFile(folder))
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
  await run('nginx', ['-t', ...args])
  await startServer('nginx', args, tls.port, 'nginx-light', cleanup)
  return {
    url: `https://localhost:${tls.port}`,
    plainUrl: `http://localhost:${tls.plainPort}`,
    certificate,
  }
}

/** Debian's main file includes sites in the same place. */
function mainFile(folder: string): string {
  return `daemon off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/hookline.conf;
}
`
}

function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the configuration does not contain "${from}"`)
    return result.replaceAll(from, to)
  }, text)
}

interface Checked {
  internalUrl: string
  customer: Customer
  /** Returns the log of the api. */
  readLog: () => Promise<string>
}

/** Checks HTTP/2, the redirect, the address of the client, and that the live tail is not buffered. */
export async function checkProxy(proxy: Proxy, checked: Checked): Promise<void> {
  const client = ['--silent', '--cacert', proxy.certificate, '--interface', '127.0.0.2', '--ipv4']
  const curl = async (...args: readonly string[]): Promise<string> =>
    (await run('curl', [...client, '--output', '/dev/null', ...args])).stdout
  expectEqual(await curl('--write-out', '%{http_version} %{http_code}', proxy.url), '2 200')
  expectEqual(
    await curl('--write-out', '%{http_code} %{redirect_url}', proxy.plainUrl),
    '301 https://localhost/',
  )
  await checkClientAddress(curl, proxy, checked)
  await checkTail(client, proxy, checked)
  console.log('nginx serves HTTP/2, passes on the address of the client, and does not buffer the live tail')
}

async function checkClientAddress(
  curl: (...args: readonly string[]) => Promise<string>,
  { url }: Proxy,
  { customer, readLog }: Checked,
): Promise<void> {
  await curl(
    '--header',
    `x-api-key: ${customer.key}`,
    '--header',
    'x-forwarded-for: 203.0.113.9',
    `${url}/api/hooks`,
  )
  const log = await readLog()
  if (!log.includes('"ip":"127.0.0.2"') || log.includes('203.0.113.9'))
    throw new Error('the log has a wrong address of the client')
}

async function checkTail(
  client: readonly string[],
  { url }: Proxy,
  { internalUrl, customer }: Checked,
): Promise<void> {
  const args = [...client, '--no-buffer', '--header', `x-api-key: ${customer.key}`]
  const tail = spawn('curl', [...args, `${url}/api/events/stream?from=now`])
  let received = ''
  tail.stdout.on('data', (chunk: Buffer) => (received += chunk.toString()))
  try {
    await waitFor('the live tail to open', () => received.startsWith('retry:'))
    await sendEvent(internalUrl, customer, 'behind-proxy')
    await waitFor('an event in the live tail', () => received.includes('event: event'), maxTailMs)
  } finally {
    tail.kill()
  }
}

function expectEqual(actual: string, expected: string): void {
  if (actual !== expected) throw new Error(`nginx responded "${actual}", expected "${expected}"`)
}
