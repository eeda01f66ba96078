import { expect, test } from 'vitest'
import type { NoticeKind } from '../model/notice.ts'
import type { HookNotice } from './group-notices.ts'
import { renderNotices } from './render-email.ts'

const links = {
  baseUrl: new URL('https://hooks.example.com'),
  unsubscribe: 'https://hooks.example.com/u?a=1&b=2',
}
const at = new Date('2026-11-15T12:00:00Z')

function notice(hookId: number, kind: NoticeKind, more: Partial<HookNotice> = {}): HookNotice {
  const callUrl = `https://user:secret@shop.example:8443/path/${hookId}?token=secret`
  return { hookId, kind, streak: at, createdAt: at, detail: {}, name: null, callUrl, ...more }
}

function render(...notices: HookNotice[]) {
  return renderNotices(notices, 'Example & Co', links)
}

test('lists at most 20 webhooks of a group and counts the others', () => {
  const { subject, text, html } = render(
    ...Array.from({ length: 25 }, (_, index) => notice(index + 1, 'failing_1h')),
  )
  expect(subject).toBe('25 webhooks at shop.example:8443 are failing')
  expect(text.match(/^- Webhook/gm)).toHaveLength(20)
  expect(html.match(/<li/g)).toHaveLength(20)
  for (const body of [text, html]) expect(body).toContain('And 5 more webhooks.')
})

test('shows at most 20 groups and counts the others', () => {
  const hooks = Array.from({ length: 22 }, (_, index) =>
    notice(index + 1, 'failing_1h', { callUrl: `https://host-${index}.example/` }),
  )
  expect(render(...hooks).text).toContain('And more: 2 groups.')
})

test('starts with the most urgent group, and names it in the subject', () => {
  const { subject, text } = render(notice(1, 'recovered'), notice(2, 'failing_1h'), notice(3, 'gone'))
  expect(subject).toBe(
    'Webhook 3 at shop.example:8443 is disabled: your server responded 410 Gone, 3 webhooks in total',
  )
  const positions = ['is disabled', 'is failing', 'works again'].map((part) => text.indexOf(part))
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
})

test('says only the last of several stages of a failure', () => {
  const { subject, text } = render(notice(1, 'failing_1h'), notice(1, 'failing_24h'))
  expect(subject).toBe('Webhook 1 at shop.example:8443 is failing for more than 24 hours')
  expect(text.match(/^- /gm)).toHaveLength(1)
})

test('contains no part of the URL but its host', () => {
  const { subject, text, html } = render(notice(1, 'lost'))
  for (const part of [subject, text, html]) expect(part).not.toMatch(/secret|user|path/)
})

test('escapes names in HTML', () => {
  const { html } = render(notice(1, 'lost', { name: '<script>"&' }))
  expect(html).toContain('&#60;script&#62;&#34;&#38;')
  expect(html).toContain('Example &#38; Co')
})
