/** The guide can be walked as it is written, and is written as it can be walked. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk, phone } from './area.ts'
import { guideFile, guideOf, pictureFile, startStory, type Story } from './guide.ts'

let story: Story

beforeAll(async () => {
  story = await startStory()
})
afterAll(() => story.end())

test.each([
  { screen: 'a desk', viewport: desk },
  { screen: 'a phone', viewport: phone },
])('a newcomer at $screen finds out why the first event failed, and sees it arrive', async ({ viewport }) => {
  const { page, steps, complaints, received, close } = await story.newcomer(viewport)
  for (const { walk } of steps) await walk(page)
  expect(received()).toEqual([500, 200])
  expect(complaints).toEqual({ console: [], foreign: [] })
  await close()
})

test('the guide tells these steps and has a picture of each', async () => {
  const { steps, close } = await story.newcomer(desk)
  expect(await readFile(guideFile, 'utf8')).toBe(guideOf(steps))
  for (const { picture } of steps) {
    const file = await readFile(pictureFile(picture))
    expect(file.readUInt32BE(16), `width of ${picture}`).toBe(desk.width)
  }
  await close()
})
