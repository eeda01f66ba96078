import { expect, test } from 'vitest'
import { countries, planOf } from './countries.ts'
import { matchesNumber, readNumber } from './number-search.ts'

test.each([
  { input: '+49 171 234567', exact: ['49171234567'], endings: [] },
  { input: '0049 (171) 234-567', exact: ['49171234567'], endings: ['0049171234567'] },
  { input: '0171 234567', country: 'DE', exact: ['0171234567', '49171234567'], endings: ['0171234567'] },
  { input: '0171/234567', country: 'AT', exact: ['0171234567', '43171234567'], endings: ['0171234567'] },
  { input: '06 1234 5678', country: 'IT', exact: ['0612345678', '390612345678'], endings: ['0612345678'] },
  { input: '06 20 123 4567', country: 'HU', exact: ['06201234567', '36201234567'], endings: ['06201234567'] },
  { input: '0171 234567', exact: ['0171234567'], endings: ['0171234567', '171234567'] },
  { input: '(415) 555-2671', country: 'US', exact: ['4155552671', '14155552671'], endings: ['4155552671'] },
  { input: '8912 345 67 89', country: 'RU', exact: ['89123456789', '79123456789'], endings: ['89123456789'] },
  { input: '012345', country: 'DE', exact: ['012345', '4912345'], endings: ['012345'] },
  { input: '0000123', exact: ['00123'], endings: ['0000123'] },
  { input: '234567', exact: ['234567'], endings: ['234567'] },
  { input: '12345', exact: ['12345'], endings: [] },
  { input: 'ACME Shop', exact: ['ACME Shop'], endings: [] },
  { input: ' 4711-x ', exact: ['4711-x'], endings: [] },
  { input: '1'.repeat(33), exact: ['1'.repeat(33)], endings: [] },
])('$input in $country is searched as $exact, ending $endings', ({ input, country, ...expected }) => {
  expect(readNumber(input, country)).toEqual(expected)
})

test('a number matches exactly or by its end', () => {
  const search = readNumber('234567')
  expect(['49171234567', '234567', '2345678', null].map((number) => matchesNumber(search, number))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('every country has a calling code', () => {
  expect(countries.length).toBeGreaterThan(200)
  for (const country of countries) {
    expect(country).toMatch(/^[A-Z]{2}$/)
    expect(planOf(country)?.callingCode).toMatch(/^\d{1,3}$/)
  }
})
