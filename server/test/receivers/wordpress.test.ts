/** The PHP package in WordPress, as a plugin with a REST route: unmodified requests of the worker, and modified ones. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { formats, headerOf, requestTo, send, sms, tampered } from './support/requests.ts'
import { type Site, startSite } from './wordpress/site.ts'

// WordPress is copied and installed first.
vi.setConfig({ hookTimeout: 120_000 })

let site: Site

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

/** WordPress adds backslashes to `$_SERVER`, and takes the method from the query. */
const ownQuery = String.raw`shop=a\b&q[]=1&_method=POST`

describe.each([
  ['plain permalinks', `/?rest_route=/hookline/v1/events&${ownQuery}`, '/?rest_route=/hookline/v1/account'],
  ['pretty permalinks', `/wp-json/hookline/v1/events?${ownQuery}`, '/wp-json/hookline/v1/account'],
])('%s', (name, route, accountRoute) => {
  beforeAll(() => {
    if (name === 'pretty permalinks') site.usePrettyUrls()
  })

  test.each(formats)('$name: the plugin gets the event, and rejects a modified request', async (format) => {
    const request = requestTo(`${site.url}${route}`, format)
    expect(await send(request)).toEqual({ status: 204, body: '' })
    expect(site.takeEvent()).toMatchObject({
      id: headerOf(request, 'webhook-id'),
      type: 'sms_mo',
      data: sms,
      attempt: 1,
      isTest: false,
    })
    const answer = await send(tampered(request))
    expect({ status: answer.status, code: JSON.parse(answer.body).code }).toEqual({
      status: 401,
      code: 'wrong_secret',
    })
    expect(site.takeEvent()).toBeUndefined()
  })

  test.each(formats)('$name: the account signature', async (format) => {
    const request = requestTo(`${site.url}${accountRoute}`, { ...format, signatureUrl: 'complete' })
    expect(await send(request)).toEqual({ status: 200, body: '{"type":"sms_mo"}' })
    expect(await send(tampered(request))).toEqual({ status: 401, body: '{"code":"wrong_secret"}' })
  })
})

test('an event is handled once, and again if a plugin failed or its id was pruned', async () => {
  const request = requestTo(`${site.url}/wp-json/hookline/v1/events`, { requestMethod: 'JSON' })
  site.failNext()
  expect((await send(request)).status).toBe(500)
  expect(site.takeEvent()).toBeUndefined()
  for (const event of [expect.anything(), undefined]) {
    expect((await send(request)).status).toBe(204)
    expect(site.takeEvent()).toEqual(event)
  }
  site.pruneIds()
  expect((await send(request)).status).toBe(204)
  expect(site.takeEvent()).toBeUndefined()
  site.pruneIds(
    'UPDATE wp_options SET option_value = option_value + 8 * 86400 WHERE option_name LIKE "hookline%"',
  )
  expect((await send(request)).status).toBe(204)
  expect(site.takeEvent()).toBeDefined()

  const claimUntil = (time: string): void =>
    site.pruneIds(`UPDATE wp_options SET option_value = ${time} WHERE option_name LIKE "hookline%"`)
  claimUntil('UNIX_TIMESTAMP() + 100')
  expect((await send(request)).status).toBe(500)
  expect(site.takeEvent()).toBeUndefined()
  claimUntil('UNIX_TIMESTAMP() - 1')
  expect((await send(request)).status).toBe(204)
  expect(site.takeEvent()).toBeDefined()
})
