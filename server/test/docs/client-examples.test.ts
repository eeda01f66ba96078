/** The examples of docs/client.md and of the README run with the installed package, against a running service. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildLibrary } from '../../../dev/packages/library.ts'
import { createPackageConsumer, type PackageConsumer } from '../../../dev/packages/consumer.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

let hookline: TestService
let folder: string
let consumer: PackageConsumer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-client-'))
  hookline = await startTestService()
  const { key } = await hookline.account()
  vi.stubEnv('HOOKLINE_URL', hookline.url)
  vi.stubEnv('HOOKLINE_API_KEY', key)
  consumer = await createPackageConsumer(await buildLibrary('sdk', `${folder}/`))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await consumer.remove()
  await rm(folder, { recursive: true })
  await hookline.close()
})

async function examplesOf(path: string): Promise<string[]> {
  const text = await readFile(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
}

test('the examples of the guide and of the README print what they say', async () => {
  const examples = [...(await examplesOf('docs/client.md')), ...(await examplesOf('sdk/README.md'))]
  const outputs: string[] = []
  for (const [index, example] of examples.entries()) {
    expect(await consumer.check(example, { moduleResolution: 'nodenext' }), example).toBe('')
    outputs.push(await consumer.run(`example-${index}.ts`, example))
  }
  expect(outputs).toEqual([
    'created https://example.com/hook\n',
    '',
    'Webhook 4000000 not found.\n',
    'sms_mo true\n',
    '1 webhooks\n',
  ])
})

test.each(['nodenext', 'bundler'] as const)(
  'a wrong parameter is an error of the compiler, %s',
  async (moduleResolution) => {
    const [first = ''] = await examplesOf('docs/client.md')
    const wrong = first.replace('target_url:', 'targetUrl:')
    expect(await consumer.check(wrong, { moduleResolution })).toContain("'targetUrl' does not exist")
  },
)

test('the client in a bundle has less than 5 kB, compressed less than 2.5 kB', async () => {
  const { minified, gzipped } = await consumer.bundle(`export { createClient } from '@hookline/client'`)
  expect(minified).toBeLessThan(5_000)
  expect(gzipped).toBeLessThan(2_500)
  // A bundle without the library is no measure.
  expect(gzipped).toBeGreaterThan(1_500)
})
