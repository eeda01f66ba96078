/** Checks the documentation: examples, commands, links, settings, error codes and paths. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import packageFile from '../../../package.json' with { type: 'json' }
import { settings } from '../../src/config.ts'
import { readSigningKeys } from '../../src/hooks/signing-key.ts'
import { errorCatalog } from '../../src/model/errors.ts'
import { startTestService } from '../support/test-service.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const run = promisify(execFile)
const pages = globSync(['*.md', 'docs/**/*.md']).map((path) => ({ path, text: readFileSync(path, 'utf8') }))

test('the documentation has pages', () => {
  expect(pages.length).toBeGreaterThan(15)
})

test('the contract examples return the documented responses', async () => {
  const hookline = await startTestService()
  try {
    const { accountId, key } = await hookline.account()
    const { current } = await readSigningKeys(hookline.db, hookline.vault, accountId)
    const env = { PATH: process.env.PATH, BASE_URL: hookline.url, KEY: key, SIGNING_KEY: current }
    const page = readFileSync('docs/contract.md', 'utf8')
    const examples = [...page.matchAll(/```sh\n(.*?)```\s+```json\n(.*?)```/gs)]
    expect(examples.length).toBeGreaterThan(8)

    // Maps each example ID of the page to the actual ID of its first response.
    const realIds = new Map<string, string>()
    const toReal = (text: string): string => text.replace(/\b204\d\b/g, (id) => realIds.get(id) ?? id)
    for (const [, command = '', expected = ''] of examples) {
      const { stdout } = await run('bash', ['-euc', toReal(command).replaceAll('curl', 'curl -sS')], { env })
      const response = JSON.parse(stdout)
      const pageId = JSON.parse(expected).id
      if (pageId !== undefined && !realIds.has(String(pageId)))
        realIds.set(String(pageId), String(response.id))
      const untimed = JSON.stringify(response).replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'a time')
      const requested = toReal(expected).replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'a time')
      expect(JSON.parse(untimed), command).toEqual(JSON.parse(requested))
    }
  } finally {
    await hookline.close()
  }
})

/** Read by the command line tool. */
const cliVariables = globSync('cli/src/**/*.ts').flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/(?:process\.env\.|{ |, )([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g)].map(
    (match) => match[1] ?? '',
  ),
)

/** Read by the Compose file from `.env`, besides settings. */
const composeVariables = [
  ...readFileSync('deploy/compose/compose.yaml', 'utf8').matchAll(/\$\{([A-Z_]+)/g),
].map(([, name = '']) => name)

describe.each(pages)('$path', ({ path, text }) => {
  test('commands exist', () => {
    const names = [...text.matchAll(/npm (?:run (?:-s )?([a-z:]+)|(start|test)\b)/g)].map((m) => m[1] ?? m[2])
    expect(names.filter((name) => !Object.hasOwn(packageFile.scripts, name ?? ''))).toEqual([])
  })

  test('link targets exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
    const broken = links.filter(([, file = '', anchor]) => {
      const target = file === '' ? path : join(dirname(path), file)
      if (!existsSync(target)) return true
      return anchor !== undefined && !anchors(readFileSync(target, 'utf8')).includes(anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  test('settings exist', () => {
    const existing = new Set<string>([
      ...Object.values(settings).flatMap(({ name, isSecret }) =>
        isSecret ? [name, `${name}_FILE`] : [name],
      ),
      ...composeVariables,
      ...cliVariables,
    ])
    const names = [...text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g)].map(
      (match) => match[1] ?? '',
    )
    expect(names.filter((name) => !existing.has(name))).toEqual([])
  })

  test('error codes exist', () => {
    const existing = new Set<number>(Object.values(errorCatalog).map((entry) => entry.code))
    const names = [...text.matchAll(/"code": (\d+)|\| (\d{3,4}) \| \d{3} \|/g)].map((m) =>
      Number(m[1] ?? m[2]),
    )
    expect(names.filter((code) => !existing.has(code))).toEqual([])
  })

  test('files exist', () => {
    const names = [...text.matchAll(/`((?:server|web|sdk|dev|bench|docs)\/[\w./-]+)`/g)].map(
      (match) => match[1] ?? '',
    )
    expect(names.filter((file) => !existsSync(file))).toEqual([])
  })
})

/** Returns the anchors of the headings of a page, as GitHub generates them. */
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
