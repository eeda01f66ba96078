import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { serveDashboard } from '../../src/http/server/dashboard-files.ts'
import { call } from '../support/http-call.ts'

test('page paths explain how to build the dashboard while it is not built', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-web-'))
  const app = fastify()
  await serveDashboard(app, `${folder}/`)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const { status, text } = await call(`${url}/keys`, { headers: { accept: 'text/html' } })
  expect(status).toBe(503)
  expect(text).toContain('npm run build:dashboard')
  await app.close()
  await rm(folder, { recursive: true })
})
