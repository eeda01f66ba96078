/** `npm run audit` with a registry that knows vulnerabilities, and with registries that answer no audits. */
import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'

// npm starts slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const root = fileURLToPath(new URL('..', import.meta.url))
const stops: Array<() => void> = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

test('a high vulnerability of a production package fails', async () => {
  const registry = await startRegistry('fastify', 'high')
  const { code, output } = await audit(registry.url)
  expect(output).toContain('high: fastify: Request smuggling https://advisories.example.com/1')
  expect(output).toContain('1 vulnerable packages, 1 of them high or critical')
  expect(code).toBe(1)
  expect(registry.asked).toHaveProperty('react')
  expect(registry.asked).not.toHaveProperty('vitest')
})

test('a moderate vulnerability is printed and passes', async () => {
  const { url } = await startRegistry('react', 'moderate')
  const { code, output } = await audit(url)
  expect(output).toContain('moderate: react: Request smuggling')
  expect(output).toContain('1 vulnerable packages, 0 of them high or critical')
  expect(code).toBe(0)
})

test('a registry that answers no audits is reported and passes', async () => {
  const url = await listen((_request, response) => response.writeHead(405).end())
  const { code, output } = await audit(url)
  expect(output).toMatch(/^not checked: the registry does not answer audits \(405 Method Not Allowed/)
  expect(code).toBe(0)
})

test('a failure of npm itself is no success', async () => {
  const { url } = await startRegistry('fastify', 'high')
  const { code } = await audit(url, tmpdir())
  expect(code).not.toBe(0)
})

/** Starts a registry with one advisory, in the form of npm's bulk endpoint. */
async function startRegistry(name: string, severity: string): Promise<{ url: string; asked: object }> {
  const registry = { url: '', asked: {} }
  const advisory = {
    id: 1,
    title: 'Request smuggling',
    url: 'https://advisories.example.com/1',
    severity,
    vulnerable_versions: '*',
    cwe: [],
    cvss: { score: 0, vectorString: null },
  }
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isAudit = request.url === '/-/npm/v1/security/advisories/bulk'
    if (isAudit) registry.asked = (await json(request.pipe(createGunzip()))) as object
    response.writeHead(isAudit ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isAudit ? { [name]: [advisory] } : {}))
  }
  registry.url = await listen((request, response) => void respond(request, response))
  return registry
}

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  stops.push(() => server.close())
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function audit(registry: string, cwd = root): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, npm_config_registry: registry, npm_config_fetch_retries: '0' }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [`${root}dev/audit.ts`], { cwd, env }, (_error, stdout) => {
      resolve({ code: child.exitCode, output: stdout })
    })
  })
}
