import { expect, test } from 'vitest'
import { indentJson } from './indent-json.ts'

test('objects and arrays are indented, and tokens stay as sent', () => {
  expect(indentJson('{"id":1.0,"tags":["a, b",{"x":null}],"none":{},"list":[]}')).toBe(
    `{
  "id": 1.0,
  "tags": [
    "a, b",
    {
      "x": null
    }
  ],
  "none": {},
  "list": []
}`,
  )
})

test.each(['text', '"text"', '12', '', '{"id":', '<p>'])('%j is unchanged', (text) => {
  expect(indentJson(text)).toBe(text)
})
