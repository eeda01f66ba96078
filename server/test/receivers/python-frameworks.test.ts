/** The examples of the Python package, in servers for WSGI and ASGI. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { formats, headerOf, requestTo, secret, send, sms, tampered } from './support/requests.ts'
import { type ServerProcess, startServer } from './support/server-process.ts'

const packageFolder = fileURLToPath(new URL('../../../receivers/python', import.meta.url))
const programs = fileURLToPath(new URL('python-frameworks', import.meta.url))

describe.each([
  ['gunicorn', 'plain_wsgi', '/'],
  ['gunicorn', 'flask_app', '/webhooks/hookline'],
  ['gunicorn', 'django_settings', '/webhooks/hookline'],
  ['uvicorn', 'fastapi_app', '/webhooks/hookline'],
])('%s with %s', (serverName, module, path) => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-python-'))
  const logFile = join(folder, 'log')
  let server: ServerProcess
  let url: string

  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}${path}`
    const database = new DatabaseSync(join(folder, 'ids'))
    database.exec(
      'CREATE TABLE webhook_ids (id varchar(64) PRIMARY KEY, running_until bigint NOT NULL, received_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)',
    )
    database.close()
    const listen =
      serverName === 'gunicorn'
        ? ['--bind', `127.0.0.1:${port}`]
        : ['--host', '127.0.0.1', '--port', String(port)]
    const command = `exec /usr/bin/python3 -m ${serverName} ${listen.join(' ')} ${module}:app 2> ${logFile}`
    server = await startServer('sh', ['-c', command], port, {
      PYTHONPATH: [packageFolder, join(packageFolder, 'examples'), programs].join(':'),
      PYTHONDONTWRITEBYTECODE: '1',
      HOOKLINE_SECRET: secret,
      DATABASE: join(folder, 'ids'),
    })
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  test.each(formats)(
    '$name: the event is handled once, and a modified request is rejected',
    async (format) => {
      const request = requestTo(`${url}?${String.raw`z=1&q[]=a\b&x=%7e+`}`, format)
      for (const attempt of [1, 2])
        expect([attempt, await send(request)]).toEqual([attempt, { status: 204, body: '' }])
      const logged = readFileSync(logFile, 'utf8').split(
        `Event ${headerOf(request, 'webhook-id')}: ${sms.text}\n`,
      )
      expect(logged).toHaveLength(2)
      expect(await send(tampered(request))).toEqual({ status: 401, body: 'wrong_secret' })
    },
  )

  // Django reads no body without a length.
  test.skipIf(module === 'django_settings')('a body that is sent in chunks is read', async () => {
    const request = requestTo(url, { requestMethod: 'JSON' })
    const headers = Object.fromEntries(
      request.headers.flatMap((name, index) =>
        index % 2 === 0 ? [[name, request.headers[index + 1] ?? '']] : [],
      ),
    )
    const body = ReadableStream.from(
      [request.body.slice(0, 10), request.body.slice(10)].map((part) => Buffer.from(part)),
    )
    const answer = await fetch(url, { method: 'POST', headers, body, duplex: 'half' })
    expect(answer.status).toBe(204)
  })
})
