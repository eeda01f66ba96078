/** Tests that no cell is read as a formula, whatever separator a spreadsheet uses. */
import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['-1', "'-1"],
  ['\t=1', "\t'=1"],
  ['\r=1', '"\r\'=1"'],
  ['＝1+1', "'＝1+1"],
  ['m;=HYPERLINK(1)', "m;'=HYPERLINK(1)"],
  ['m; @SUM(1);+1', "m; '@SUM(1);'+1"],
  ['m\t=1', "m\t'=1"],
  ['m;"=1"', '"m;""\'=1"""'],
  ['m\n=1', '"m\n\'=1"'],
  ['a=b, c-d; e', '"a=b, c-d; e"'],
])('%j is written as %j', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`)
})
