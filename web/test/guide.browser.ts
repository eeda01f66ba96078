/** The guide matches the dashboard: each step works, and the page contains each step. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desktop, phone } from './support/dashboard.ts'
import { guideFile, renderGuide, screenshotFile, startGuide, type Guide } from './support/guide.ts'

let guide: Guide

beforeAll(async () => {
  guide = await startGuide()
})
afterAll(() => guide.close())

test.each([
  { screen: 'a desk', viewport: desktop },
  { screen: 'a phone', viewport: phone },
])(
  'the guide works on $screen: a failed test event is explained, replayed and delivered',
  async ({ viewport }) => {
    const { page, steps, problems, received, close } = await guide.newcomer(viewport)
    for (const { run } of steps) await run(page)
    expect(received()).toEqual([500, 200])
    expect(problems).toEqual({ console: [], external: [] })
    await close()
  },
)

test('the guide page contains every step with a screenshot', async () => {
  const { steps, close } = await guide.newcomer(desktop)
  expect(await readFile(guideFile, 'utf8')).toBe(renderGuide(steps))
  for (const { screenshot } of steps) {
    const file = await readFile(screenshotFile(screenshot))
    expect(file.readUInt32BE(16), `width of ${screenshot}`).toBe(desktop.width)
  }
  await close()
})
