import { expect, test } from 'vitest'
import type { NoticeKind } from '../model/notice.ts'
import type { SentNotice } from './group-notices.ts'
import { contentOf } from './message-content.ts'
import { renderEmail } from './render-email.ts'

const baseUrl = new URL('https://hooks.example.com')
const footer = { reason: 'Because of “Example & Co”.', unsubscribeUrl: 'https://hooks.example.com/u?a=1&b=2' }
const at = new Date('2026-11-15T12:00:00Z')

function notice(hookId: number, kind: NoticeKind, more: Partial<SentNotice> = {}): SentNotice {
  const callUrl = `https://user:secret@shop.example:8443/path/${hookId}?token=secret`
  const base = { streak: at, createdAt: at, detail: {}, name: null, actorName: null, subjectName: null }
  return { id: hookId * 100 + Object.keys(more).length, hookId, kind, callUrl, ...base, ...more }
}

function render(...notices: SentNotice[]) {
  return renderEmail(contentOf(notices, baseUrl), footer)
}

test('lists at most 20 webhooks of a group and counts the others', () => {
  const { subject, text, html } = render(
    ...Array.from({ length: 25 }, (_, index) => notice(index + 1, 'failing_1h')),
  )
  expect(subject).toBe('25 webhooks at shop.example:8443 are failing')
  expect(text.match(/^- Webhook/gm)).toHaveLength(20)
  expect(html.match(/<li/g)).toHaveLength(20)
  for (const body of [text, html]) expect(body).toContain('And 5 more.')
})

test('shows at most 20 groups and counts the others', () => {
  const hooks = Array.from({ length: 22 }, (_, index) =>
    notice(index + 1, 'failing_1h', { callUrl: `https://host-${index}.example/` }),
  )
  expect(render(...hooks).text).toContain('\n\nAnd 2 more.')
})

test('starts with the most urgent group, and names it in the subject', () => {
  const { subject, text } = render(notice(1, 'recovered'), notice(2, 'failing_1h'), notice(3, 'gone'))
  expect(subject).toBe(
    'Webhook 3 at shop.example:8443 is disabled: your server responded 410 Gone, 3 notices in total',
  )
  const positions = ['is disabled', 'is failing', 'works again'].map((part) => text.indexOf(part))
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
})

test.each<[NoticeKind, NoticeKind]>([
  ['failing_1h', 'failing_24h'],
  ['backing_off', 'failing_1h'],
  ['certificate_21d', 'certificate_7d'],
])('says only the last of several stages: %s, then %s', (earlier, later) => {
  const { text } = render(notice(1, earlier), notice(1, later, { name: null }))
  expect(text.match(/^- /gm)).toHaveLength(1)
  expect(text.split('\n')[0]).toBe(render(notice(1, later)).text.split('\n')[0])
})

test('contains no part of the URL but its host', () => {
  const { subject, text, html } = render(notice(1, 'lost'))
  for (const part of [subject, text, html]) expect(part).not.toMatch(/secret|user|path/)
})

function keyCreated(id: number, name: string): SentNotice {
  const detail = { action: 'key.create', name } as const
  return notice(id, 'account_changed', { hookId: null, callUrl: null, detail, subjectName: name })
}

test('says once what to do about several security changes', () => {
  const several = render(keyCreated(1, 'Billing'), keyCreated(2, 'Support'))
  for (const body of [several.text, several.html]) {
    expect(body).toContain('The API key “Billing” was created')
    expect(body).toContain('The API key “Support” was created')
    expect(body.match(/check the audit log/g)).toHaveLength(1)
  }
  expect(render(keyCreated(1, 'Billing')).text).toContain('check the audit log')
})

test('escapes names in HTML', () => {
  const { html } = render(notice(1, 'lost', { name: '<script>"&' }))
  expect(html).toContain('&#60;script&#62;&#34;&#38;')
  expect(html).toContain('Example &#38; Co')
})

test.each<[string, SentNotice[], string]>([
  ['one webhook', [notice(7, 'lost')], 'View webhook: https://hooks.example.com/webhooks/7'],
  [
    'several webhooks',
    [notice(7, 'lost'), notice(8, 'lost')],
    'View webhooks: https://hooks.example.com/webhooks',
  ],
  [
    'a key',
    [notice(0, 'key_1d', { hookId: null, callUrl: null, detail: { name: 'Billing' } })],
    'View API keys: https://hooks.example.com/keys',
  ],
  [
    'a change of the account',
    [notice(0, 'account_changed', { hookId: null, callUrl: null })],
    'View audit log: https://hooks.example.com/account/audit',
  ],
  [
    'different things',
    [notice(7, 'lost'), notice(0, 'deprecated', { hookId: null, callUrl: null })],
    'View notices: https://hooks.example.com/notices',
  ],
])('has one button, for %s', (_name, notices, button) => {
  const { text, html } = render(...notices)
  expect(text).toContain(button)
  expect(html.match(/background:/g)).toHaveLength(1)
})

test('without a link to unsubscribe says only why', () => {
  const { text, html } = renderEmail(contentOf([notice(1, 'lost')], baseUrl), { reason: 'Only so.' })
  expect(text.endsWith('Only so.')).toBe(true)
  expect(html).not.toContain('Unsubscribe')
})
