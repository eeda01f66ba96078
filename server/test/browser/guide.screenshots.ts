/** Writes the guide: its words, and a picture of each step. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk } from './area.ts'
import { guideFile, guideOf, pictureFile, startStory, type Story } from './guide.ts'

let story: Story

beforeAll(async () => {
  story = await startStory()
})
afterAll(() => story.end())

test('the guide is written as it is walked', async () => {
  const { page, steps, close } = await story.newcomer(desk)
  await mkdir(dirname(pictureFile('')), { recursive: true })
  for (const { walk, picture } of steps) {
    await walk(page)
    await page.waitForLoadState('networkidle')
    // Short words about what was done would hide what the picture is to show.
    await expect.poll(() => page.getByRole('alert').count(), { timeout: 30_000 }).toBe(0)
    await page.screenshot({ path: pictureFile(picture), fullPage: picture === 'event' })
  }
  await writeFile(guideFile, guideOf(steps))
  expect(steps.length).toBeGreaterThan(0)
  await close()
})
