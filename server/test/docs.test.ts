/** Documentation that can be checked is checked: examples, commands, links, settings, codes and paths. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { settings } from '../src/config.ts'
import { catalogue } from '../src/model/errors.ts'
import { startWorld } from './service.ts'

// Processes are started in these tests, and the machine decides how long that takes.
vi.setConfig({ testTimeout: 120_000 })

const run = promisify(execFile)
const pages = globSync(['*.md', 'docs/**/*.md']).map((path) => ({ path, text: readFileSync(path, 'utf8') }))

test('there are pages to check', () => {
  expect(pages.length).toBeGreaterThan(15)
})

test('the examples of the contract answer what the page says', async () => {
  const world = await startWorld()
  try {
    const { key } = await world.account()
    const env = { PATH: process.env.PATH, BASE_URL: world.url, KEY: key }
    const page = readFileSync('docs/contract.md', 'utf8')
    const examples = [...page.matchAll(/```sh\n(.*?)```\s+```json\n(.*?)```/gs)]
    expect(examples.length).toBeGreaterThan(8)

    // The page's ids are examples: each stands for the id that was really given when it first appeared.
    const realIds = new Map<string, string>()
    const toReal = (text: string): string => text.replace(/\b204\d\b/g, (id) => realIds.get(id) ?? id)
    for (const [, command = '', expected = ''] of examples) {
      const { stdout } = await run('bash', ['-euc', toReal(command).replaceAll('curl', 'curl -sS')], { env })
      const answer = JSON.parse(stdout)
      const pageId = JSON.parse(expected).id
      if (pageId !== undefined && !realIds.has(String(pageId))) realIds.set(String(pageId), String(answer.id))
      const untimed = JSON.stringify(answer).replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'a time')
      const wanted = toReal(expected).replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'a time')
      expect(JSON.parse(untimed), command).toEqual(JSON.parse(wanted))
    }
  } finally {
    await world.close()
  }
})

describe.each(pages)('$path', ({ path, text }) => {
  test('names only commands that exist', () => {
    const named = [...text.matchAll(/npm (?:run (?:-s )?([a-z:]+)|(start|test)\b)/g)].map((m) => m[1] ?? m[2])
    expect(named.filter((name) => !Object.hasOwn(packageFile.scripts, name ?? ''))).toEqual([])
  })

  test('links only to what exists', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
    const broken = links.filter(([, file = '', anchor]) => {
      const target = file === '' ? path : join(dirname(path), file)
      if (!existsSync(target)) return true
      return anchor !== undefined && !anchors(readFileSync(target, 'utf8')).includes(anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  test('names only settings that exist', () => {
    const known = new Set<string>(Object.values(settings).map((setting) => setting.name))
    const named = [...text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g)].map(
      (match) => match[1] ?? '',
    )
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  test('names only error codes that exist', () => {
    const known = new Set<number>(Object.values(catalogue).map((entry) => entry.code))
    const named = [...text.matchAll(/"code": (\d+)|\| (\d{3,4}) \| \d{3} \|/g)].map((m) =>
      Number(m[1] ?? m[2]),
    )
    expect(named.filter((code) => !known.has(code))).toEqual([])
  })

  test('names only files that exist', () => {
    const named = [...text.matchAll(/`((?:server|dev|bench|docs)\/[\w./-]+)`/g)].map(
      (match) => match[1] ?? '',
    )
    expect(named.filter((file) => !existsSync(file))).toEqual([])
  })
})

/** Anchors of a page's headings, as code hosts make them. */
function anchors(page: string): string[] {
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map((match) => match[1] ?? '')
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}
