/**
 * Words that CONTRIBUTING.md replaces by the usual ones. Only words without a good meaning elsewhere are listed, so that
 * every match is a mistake.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

interface ReplacedWord {
  pattern: RegExp
  instead: string
}

const replacedWords: readonly ReplacedWord[] = [
  { pattern: /\b(?:most|largest)[A-Z]\w*/, instead: 'max…' },
  { pattern: /\b(?:fewest|shortest)[A-Z]\w*/, instead: 'min…' },
  { pattern: /\busual[A-Z]\w*/, instead: 'default…' },
  { pattern: /\bjudg(?:e|es|ed|ing|e?ment)\w*|\bjudge[A-Z]\w*/i, instead: 'validate, match or verify' },
  { pattern: /\bdeeds?\b/i, instead: 'action' },
  { pattern: /\bdeveloper area\b/i, instead: 'dashboard' },
  { pattern: /\blet in(?:to)?\b/i, instead: 'authorized' },
  { pattern: /\b(?:sent|sends|send|sending) again\b/i, instead: 'retry or replay' },
  { pattern: /\bwhat became of\b/i, instead: 'deliveries' },
  { pattern: /\bwhoever\b/i, instead: 'a named subject' },
  { pattern: /\b(?:hot tables|troublemakers?|contestants?|poisonous)\b/i, instead: 'a glossary term' },
  { pattern: /\bhand(?:s|ed|ing)? in\b/i, instead: 'submit' },
  { pattern: /\b(?:set|put) aside\b/i, instead: 'parked, held or quarantined' },
  { pattern: /\be-mails?\b/i, instead: 'email' },
  { pattern: /\b(?:behaviou|colou|neighbou|honou|favou)rs?\w*\b/i, instead: 'US spelling' },
  { pattern: /\bworld\b/, instead: 'service or environment' },
]

const folders = ['.ci', 'bench', 'dev', 'docs', 'sdk', 'server', 'web']
const skippedFolders = new Set(['node_modules', 'dist', 'planted', 'fixtures', 'coverage'])
/** Lists of replaced words, migrations, which never change, and the build of the dashboard. */
const skippedFiles =
  /^(?:dev\/(?:words|gates\.test)\.ts|CHANGELOG\.md|CONTRIBUTING\.md|server\/(?:dashboard|migrations)\/.*)$/
const textFiles = /(?:\.(?:ts|tsx|mjs|js|css|md|html|sql|json)|\/run)$/

export interface FoundWord {
  path: string
  line: number
  word: string
  instead: string
}

/** Finds replaced words in the sources, tests and docs below `root`. */
export async function findReplacedWords(root: string): Promise<{ files: number; found: FoundWord[] }> {
  const paths = [
    ...(await rootPages(root)),
    ...(await Promise.all(folders.map((folder) => listFiles(root, folder)))).flat(),
  ]
  const found: FoundWord[] = []
  for (const path of paths) {
    const lines = (await readFile(join(root, path), 'utf8')).split('\n')
    for (const [index, line] of lines.entries())
      for (const { pattern, instead } of replacedWords) {
        const word = pattern.exec(line)?.[0]
        if (word !== undefined) found.push({ path, line: index + 1, word, instead })
      }
  }
  return { files: paths.length, found }
}

async function rootPages(root: string): Promise<string[]> {
  return (await readdir(root)).filter((name) => name.endsWith('.md') && !skippedFiles.test(name))
}

async function listFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const lists = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : listFiles(root, path)
    return textFiles.test(`/${relative(root, join(root, path))}`) && !skippedFiles.test(path) ? [path] : []
  })
  return (await Promise.all(lists)).flat()
}
