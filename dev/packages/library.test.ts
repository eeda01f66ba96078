/** Packages of libraries, installed in an empty folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildLibrary } from './library.ts'
import { createPackageConsumer, type PackageConsumer } from './consumer.ts'

let folder: string
let consumer: PackageConsumer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-library-'))
  consumer = await createPackageConsumer(await buildLibrary('receiver', `${folder}/`))
})
afterAll(async () => {
  await consumer.remove()
  await rm(folder, { recursive: true })
})

const program = `
const secret = 'whsec_' + Buffer.alloc(32, 'a').toString('base64')
const { method, headers, body } = sign({ webhook_event: 'sms_mo', data: { text: 'Hi' } }, { secret })
const request = new Request('http://localhost/', { method, headers, body })
receive(request, { secrets: [secret] }).then((received) => console.log(received.event.data.text))
`

test.each([
  ['a module', 'run.js', `import { receive, sign } from '@hookline/receiver'`],
  ['CommonJS', 'run.cjs', `const { receive, sign } = require('@hookline/receiver')`],
])('the receiver verifies a request in %s', async (_, name, head) => {
  expect(await consumer.run(name, `${head}${program}`)).toBe('Hi\n')
})

const typed = `
import { createServer } from 'node:http'
import { memoryStore, once, receive } from '@hookline/receiver'

const store = memoryStore()
createServer(async (request, response) => {
  const received = await receive<{ order: { total: number } }>(request, { secrets: ['whsec_'] })
  if (!received.isValid) return void response.writeHead(received.status).end(received.message)
  const { event } = received
  await once(event.id, store, () => {
    if (event.webhook_event === 'dlr') console.log(event.data.status satisfies string)
    else if (event.webhook_event === 'order') console.log(event.data.total satisfies number)
    else if (event.webhook_event === 'order.paid') console.log(event.data.total satisfies unknown)
  })
})
receive(new Request('http://localhost/'), { secrets: [] })
`

test.each(['nodenext', 'bundler'] as const)('the receiver has types with %s', async (moduleResolution) => {
  expect(await consumer.check(typed, { moduleResolution })).toBe('')
  const wrong = typed.replace('event.data.status', 'event.data.text')
  expect(await consumer.check(wrong, { moduleResolution })).toContain("'text' does not exist")
})

test('the receiver in a bundle has less than 10 kB, compressed less than 4 kB', async () => {
  const { minified, gzipped } = await consumer.bundle(`export { receive } from '@hookline/receiver'`)
  expect(minified).toBeLessThan(10_000)
  expect(gzipped).toBeLessThan(4_000)
  // A bundle without the library is no measure.
  expect(gzipped).toBeGreaterThan(2_000)
})
