/** Writes the guide: its text and one screenshot per step. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desktop } from './support/dashboard.ts'
import { guideFile, renderGuide, screenshotFile, startGuide, type Guide } from './support/guide.ts'

let guide: Guide

beforeAll(async () => {
  guide = await startGuide()
})
afterAll(() => guide.close())

test('writes the guide page and its screenshots', async () => {
  const { page, steps, close } = await guide.newcomer(desktop)
  await mkdir(dirname(screenshotFile('')), { recursive: true })
  for (const { run, screenshot } of steps) {
    await run(page)
    await page.waitForLoadState('networkidle')
    // Toasts would cover the page in the screenshot.
    await expect.poll(() => page.getByRole('alert').count(), { timeout: 30_000 }).toBe(0)
    await page.screenshot({ path: screenshotFile(screenshot), fullPage: screenshot === 'event' })
  }
  await writeFile(guideFile, renderGuide(steps))
  expect(steps.length).toBeGreaterThan(0)
  await close()
})
