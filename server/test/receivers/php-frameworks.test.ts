/** The examples of the PHP package for frameworks, with requests that these frameworks change. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PhpSite, phpServers, startPhpSite } from './php-servers/start.ts'
import { formats, headerOf, requestTo, send, sms, tampered } from './support/requests.ts'

describe.each(['psr7', 'symfony', 'laravel'])('%s', (name) => {
  let site: PhpSite

  beforeAll(async () => {
    const start = phpServers['php -S']
    if (start === undefined) throw new Error('no such server')
    const program = fileURLToPath(new URL(`php-frameworks/${name}.php`, import.meta.url))
    site = await startPhpSite(start, name, program)
  })
  afterAll(() => site.stop())

  /** Symfony sorts the parameters and encodes brackets, Guzzle encodes brackets, Laravel takes the method from `_method`. */
  const ownQuery = String.raw`z=1&q[]=a\b&_method=POST`

  test.each(formats)(
    '$name: the event is handled once, and a modified request is rejected',
    async (format) => {
      const request = requestTo(`${site.url}/webhooks/hookline?${ownQuery}`, format)
      expect(await send(request)).toEqual({ status: 204, body: '' })
      expect(site.takeLog()).toContain(`Event ${headerOf(request, 'webhook-id')}: ${sms.text}\n`)
      expect(await send(request)).toEqual({ status: 204, body: '' })
      expect(site.takeLog()).toBe('')
      expect(await send(tampered(request))).toEqual({ status: 401, body: 'wrong_secret' })
    },
  )
})
