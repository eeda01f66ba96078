import { expect, test } from 'vitest'
import { readBounce } from './bounces.ts'

const id = '0b51f3a2-6c1d-4c8e-9f6a-2d6e3a1b7c90'

function report(action: string, status: string, original = `Message-ID: <${id}@hooks.example>`): string {
  return [
    'From: MAILER-DAEMON@relay.example',
    'Message-Id: <4ZkQ1n2x3z@relay.example>',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Final-Recipient: rfc822; user@example.com',
    `Action: ${action}`,
    `Status: ${status}`,
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    original,
    'Subject: Webhook 7 is failing',
    '--b--',
  ].join('\r\n')
}

test('a report of a permanent failure names the email and the status', () => {
  expect(readBounce(report('failed', '5.1.1'))).toEqual({ messageIds: [id], status: '5.1.1' })
  expect(readBounce(report('failed', '5.1.1', `message-id: <${id.toUpperCase()}@h>`))?.messageIds).toEqual([
    id,
  ])
})

test.each([
  ['a delay', report('delayed', '4.4.1')],
  ['a temporary failure', report('failed', '4.2.2')],
  ['an email of another sender', report('failed', '5.1.1', 'Message-ID: <CAF1@mail.example>')],
  ['a reply of a person', `Re: hello\n\nMessage-ID: <${id}@hooks.example>`],
  ['nothing', ''],
])('%s is no bounce', (_what, mail) => {
  expect(readBounce(mail)).toBeUndefined()
})

test('a report with thousands of ids is read in bounded time, and only the first count', () => {
  const ids = Array.from({ length: 20_000 }, () => `Message-ID: <${id}@h>`).join('\n')
  expect(readBounce(report('failed', '5.0.0', ids))?.messageIds).toHaveLength(20)
})
