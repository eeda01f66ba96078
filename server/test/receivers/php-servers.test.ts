/** The PHP package behind the web servers that sites use, which change names of headers and rewrite URLs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PhpSite, phpServers, startPhpSite } from './php-servers/start.ts'
import { formats, headerOf, requestTo, send, sms, tampered } from './support/requests.ts'

describe.each(Object.entries(phpServers))('%s', (_, start) => {
  let site: PhpSite

  beforeAll(async () => {
    site = await startPhpSite(start)
  })
  afterAll(() => site.stop())

  /** Own queries have characters that URLs allow and that libraries encode or decode. */
  const paths = [
    String.raw`/index.php?q[]=a\b&shop=1&x=%7e+%20`,
    '/shop/webhooks?route=own',
    '/shop/webhooks',
  ]

  test.each(formats.flatMap(({ name, ...format }) => paths.map((path) => ({ name, path, format }))))(
    '$name to $path',
    async ({ path, format }) => {
      const request = requestTo(`${site.url}${path}`, format)
      expect(await send(request)).toEqual({ status: 204, body: '' })
      expect(site.takeLog()).toContain(`Event ${headerOf(request, 'webhook-id')}: ${sms.text}\n`)
      expect(await send(tampered(request))).toEqual({ status: 401, body: 'wrong_secret' })
      expect(site.takeLog()).toBe('')
    },
  )

  const casings: Array<[string, (name: string) => string]> = [
    ['WEBHOOK-ID', (name) => name.toUpperCase()],
    ['Webhook-Id', (name) => name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())],
  ]

  test.each(casings)('header names as %s', async (_name, change) => {
    const request = requestTo(`${site.url}/shop/webhooks`, { requestMethod: 'JSON' })
    const headers = request.headers.map((text, index) => (index % 2 === 0 ? change(text) : text))
    expect(await send({ ...request, headers })).toEqual({ status: 204, body: '' })
  })

  test('a second attempt is accepted and not handled', async () => {
    const request = requestTo(`${site.url}/shop/webhooks`, { requestMethod: 'JSON' })
    await send(request)
    expect(site.takeLog()).not.toBe('')
    expect(await send(request)).toEqual({ status: 204, body: '' })
    expect(site.takeLog()).toBe('')
  })

  test('of two headers with signatures, one is enough', async () => {
    const request = requestTo(`${site.url}/shop/webhooks`, { requestMethod: 'JSON' })
    const headers = ['webhook-signature', 'v1,AAAA', ...request.headers]
    expect(await send({ ...request, headers })).toEqual({ status: 204, body: '' })
  })

  test.each(['webhook-id', 'webhook_id'])('a second %s does not replace the signed one', async (name) => {
    const request = requestTo(`${site.url}/shop/webhooks`, { requestMethod: 'JSON' })
    for (const headers of [
      [name, 'other', ...request.headers],
      [...request.headers, name, 'other'],
    ]) {
      await send({ ...request, headers })
      expect(site.takeLog()).not.toContain('other')
    }
  })
})
