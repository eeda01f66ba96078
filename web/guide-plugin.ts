/**
 * Imports pages of `docs/` as guides: `import guide from '…/docs/retries.md?guide'`. A page becomes data that components
 * render, so the dashboard and the repository show the same text and no parser is shipped. The parser is the one that
 * formats the pages. An element that the guides cannot render fails the build.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parsers } from 'prettier/plugins/markdown'
import type { Plugin } from 'vite'
import type { Block, Guide, Inline } from './src/lib/guide.ts'

/** The part of a syntax tree that guides use. */
interface Node {
  type: string
  children?: Node[]
  value?: string
  depth?: number
  ordered?: boolean
  lang?: string | null
  url?: string
}

const suffix = '?guide'

export function guidePlugin(): Plugin {
  return {
    name: 'guide',
    async load(id) {
      if (!id.endsWith(`.md${suffix}`)) return undefined
      const path = id.slice(0, -suffix.length)
      this.addWatchFile(path)
      return `export default ${JSON.stringify(await readGuide(path))}`
    },
  }
}

async function readGuide(path: string): Promise<Guide> {
  const text = await readFile(path, 'utf8')
  // Of the options, this parser reads only the text.
  const root = (await parsers.markdown.parse(text, { originalText: text } as never)) as Node
  const [title, ...rest] = root.children ?? []
  if (title?.type !== 'heading') throw new Error(`${path} does not start with its title`)
  return {
    title: plainText(title),
    blocks: await Promise.all(rest.map((node) => block(node, dirname(path)))),
  }
}

async function block(node: Node, folder: string): Promise<Block> {
  const { type, children = [], value = '' } = node
  switch (type) {
    case 'heading':
      return {
        kind: 'heading',
        level: node.depth === 2 ? 2 : 3,
        id: anchor(plainText(node)),
        text: inlines(children),
      }
    case 'paragraph':
      return { kind: 'paragraph', text: inlines(children) }
    case 'code':
      return { kind: 'code', language: node.lang ?? '', text: value }
    case 'list':
      return children.every((item) => exampleLink(item) !== undefined)
        ? { kind: 'examples', files: await Promise.all(children.map((item) => readExample(item, folder))) }
        : list(node, folder)
    case 'table': {
      const [head = [], ...rows] = children.map((row) =>
        (row.children ?? []).map(({ children: cell }) => cell),
      )
      return {
        kind: 'table',
        head: head.map((cell) => inlines(cell)),
        rows: rows.map((row) => row.map((cell) => inlines(cell))),
      }
    }
    default:
      throw new Error(`Guides cannot render the element "${type}".`)
  }
}

async function list({ children = [], ordered = false }: Node, folder: string): Promise<Block> {
  const items = children.map(async (item) =>
    Promise.all((item.children ?? []).map((part) => block(part, folder))),
  )
  return { kind: 'list', isOrdered: ordered, items: await Promise.all(items) }
}

/** Returns the link if it is the only content of a list item and leads to a file of `docs/examples/`. */
function exampleLink(item: Node): Node | undefined {
  const [paragraph, ...others] = item.children ?? []
  const [link, ...rest] = paragraph?.children ?? []
  const isOnly = others.length === 0 && rest.length === 0
  return isOnly && link?.url?.startsWith('examples/') === true ? link : undefined
}

async function readExample(item: Node, folder: string): Promise<{ title: string; text: string }> {
  const link = exampleLink(item)
  return {
    title: link === undefined ? '' : plainText(link),
    text: (await readFile(join(folder, link?.url ?? ''), 'utf8')).trimEnd(),
  }
}

function inlines(nodes: readonly Node[] = []): Inline[] {
  return nodes.map((node): Inline => {
    const { type, children, value = '', url = '' } = node
    switch (type) {
      case 'text':
        return value
      case 'inlineCode':
        return { kind: 'code', text: value }
      case 'strong':
      case 'emphasis':
        return { kind: type, text: inlines(children) }
      case 'link':
        return { kind: 'link', url, text: inlines(children) }
      default:
        throw new Error(`Guides cannot render the element "${type}".`)
    }
  })
}

function plainText({ value, children = [] }: Node): string {
  return value ?? children.map(plainText).join('')
}

/** The anchor of a heading, as code hosts generate it, so that links work in both places. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(' ', '-')
}
