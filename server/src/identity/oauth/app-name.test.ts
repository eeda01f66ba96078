import { expect, test } from 'vitest'
import { ApiError } from '../../model/errors.ts'
import { validateAppName } from './app-name.ts'

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
])('%s is a valid name', (name) => {
  expect(validateAppName(name)).toBe(name)
})

test('surrounding space is trimmed, and letters are composed', () => {
  expect(validateAppName('  Cafe\u0301 ')).toBe('Caf\u00E9')
})

test.each([
  ['', /1 to 60/],
  ['x'.repeat(61), /1 to 60/],
  ['a\u0000b', /invisible/],
  ['a\u200Db', /invisible/],
  ['a\u2066b', /invisible/],
  ['a\uFE0Fb', /invisible/],
  ['a\u00A0b', /invisible/],
  ['a\u2800b', /invisible/],
  ['a\uD800b', /invisible/],
  ['a\uE000b', /invisible/],
  ['Ac\u043Ce', /scripts/],
  ['\u0391cme', /scripts/],
  ['\u13A0\u13A1', /scripts/],
  ['hookline', /resembles/],
  ['The Hookline App', /resembles/],
  ['HOOKL|NE', /resembles/],
  ['h\u00F8\u00F8kline', /resembles/],
  ['hook!ine', /resembles/],
  ['hookl\u0131ne', /resembles/],
])('%j is rejected', (name, reason) => {
  expect(() => validateAppName(name)).toThrow(ApiError)
  expect(() => validateAppName(name)).toThrow(reason)
})
