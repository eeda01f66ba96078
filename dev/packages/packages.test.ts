import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { packages } from './packages.ts'

vi.setConfig({ testTimeout: 60_000 })

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-packages-'))
})
afterAll(() => rm(folder, { recursive: true }))

test.each(packages)('the package $name has the same bytes every time', async ({ name, build }) => {
  const digest = async (parent: string): Promise<string> => {
    const file = await build(`${folder}/${parent}/${name}/`)
    return createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
  }
  expect(await digest('second')).toBe(await digest('first'))
})
