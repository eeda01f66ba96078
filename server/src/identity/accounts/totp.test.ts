/** Tests codes of authenticator apps with the vectors of the RFCs. */
import { expect, test } from 'vitest'
import { codeAt, enrollmentUri, stepOf, toBase32 } from './totp.ts'

const rfcSecret = Buffer.from('12345678901234567890')

// RFC 6238, appendix B, SHA-1. The RFC has eight-digit codes. Six-digit codes are their last six digits.
test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('at second %i the code equals that of RFC 6238', (second, eightDigits) => {
  expect(codeAt(rfcSecret, Math.floor(second / 30))).toBe(eightDigits.slice(2))
})

// RFC 4226, appendix D: codes by counter.
test.each([
  '755224',
  '287082',
  '359152',
  '969429',
  '338314',
  '254676',
  '287922',
  '162583',
  '399871',
  '520489',
])('the counter produces the codes of RFC 4226: %s', (code) => {
  const codes = Array.from({ length: 10 }, (_, counter) => codeAt(rfcSecret, counter))
  expect(codes).toContain(code)
  expect(codes).toHaveLength(new Set(codes).size)
})

// Second 59 is in step 1, whose code is 287082. 755224 belongs to step 0, 359152 to step 2, 969429 to step 3.
test.each([
  ['287082', 59_000, 1],
  ['755224', 59_000, 0],
  ['359152', 59_000, 2],
  ['969429', 59_000, undefined],
  ['755224', 60_000, undefined],
  ['287082', 89_999, 1],
  ['287082', 90_000, undefined],
  ['28708', 59_000, undefined],
  ['2870820', 59_000, undefined],
  ['', 59_000, undefined],
  ['２８７０８２', 59_000, undefined],
])('the code %s at %i ms belongs to step %s', (code, nowMs, step) => {
  expect(stepOf(rfcSecret, code, nowMs)).toBe(step)
})

// RFC 4648, section 10, for whole groups of five bytes. Apps show the second one for the secret of the RFC.
test.each([
  ['fooba', 'MZXW6YTB'],
  ['12345678901234567890', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
])('%s in base32 is %s', (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded)
})

test('the enrollment URI contains issuer and login, both escaped', () => {
  expect(enrollmentUri('Hookline a.example', 'x&y:z', 'MZXW6YTB')).toBe(
    'otpauth://totp/Hookline%20a.example:x%26y%3Az?secret=MZXW6YTB&issuer=Hookline%20a.example&algorithm=SHA1&digits=6&period=30',
  )
})
