import { expect, test } from 'vitest'
import { Refusal } from '../../model/errors.ts'
import { judgeAppName } from './app-name.ts'

test.each([
  'Acme',
  'A',
  'Zapier – notify me!',
  'Rechnungs-Bote 2.0',
  'Café ☕ & Söhne',
  'Служба доставки',
  'Υπηρεσία',
  'שירות הודעות',
  'خدمة الرسائل',
  'メッセージ送信 Bot',
  '短信服务 SMS',
  '문자 서비스 Pro',
  'सन्देश सेवा',
  'Hook, bait and line',
  'Online hooks',
  'x'.repeat(60),
  '😀'.repeat(60),
])('%s is a name', (name) => {
  expect(judgeAppName(name)).toBe(name)
})

test('space around it does not belong to it, and letters are composed', () => {
  expect(judgeAppName('  Cafe\u0301 ')).toBe('Caf\u00E9')
})

test.each([
  ['', /1 to 60/],
  ['x'.repeat(61), /1 to 60/],
  ['a\u0000b', /cannot be seen/],
  ['a\u200Db', /cannot be seen/],
  ['a\u2066b', /cannot be seen/],
  ['a\uFE0Fb', /cannot be seen/],
  ['a\u00A0b', /cannot be seen/],
  ['a\u2800b', /cannot be seen/],
  ['a\uD800b', /cannot be seen/],
  ['a\uE000b', /cannot be seen/],
  ['Ac\u043Ce', /scripts/],
  ['\u0391cme', /scripts/],
  ['\u13A0\u13A1', /scripts/],
  ['hookline', /looks like/],
  ['The Hookline App', /looks like/],
  ['HOOKL|NE', /looks like/],
  ['h\u00F8\u00F8kline', /looks like/],
  ['hook!ine', /looks like/],
  ['hookl\u0131ne', /looks like/],
])('%j is none', (name, why) => {
  expect(() => judgeAppName(name)).toThrow(Refusal)
  expect(() => judgeAppName(name)).toThrow(why)
})
