/** Renders the blocks of a guide. */
import { createElement, Fragment, type ReactNode } from 'react'
import type { Block, Inline, Inlines } from '../../lib/guide.ts'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { TextLink } from '../../ui/layout/links.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { findGuide } from './guides.ts'
import styles from './guides.module.css'

type Blocks = readonly Block[]

/** Renders each item as a fixed child. The parts of a guide never change, so they need no keys. */
function renderAll<Item>(items: readonly Item[], render: (item: Item) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...items.map((item) => render(item)))
}

export function GuideBlocks({ blocks }: { blocks: Blocks }) {
  return renderAll(blocks, renderBlock)
}

/** Links to the sections, in the order of the page. */
export function GuideContents({ blocks }: { blocks: Blocks }) {
  const sections = blocks.flatMap((block) => (block.kind === 'heading' && block.level === 2 ? [block] : []))
  return (
    <nav className={styles.contents} aria-label="On this page">
      <ul>
        {sections.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`}>{renderText(text)}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function renderBlock(block: Block): ReactNode {
  switch (block.kind) {
    case 'heading': {
      const Heading = block.level === 2 ? 'h2' : 'h3'
      return <Heading id={block.id}>{renderText(block.text)}</Heading>
    }
    case 'paragraph':
      return <p>{renderText(block.text)}</p>
    case 'list': {
      const items = renderAll(block.items, (item) => <li>{renderAll(item, renderBlock)}</li>)
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
    case 'table':
      return <Table {...block} />
    case 'code':
      return <CodeBlock label={block.language === 'sh' ? 'command' : 'example'} text={block.text} />
    case 'examples':
      return (
        <Tabs
          label="Programming language"
          tabs={block.files.map(({ title, text }) => ({
            title,
            content: <CodeBlock label={`${title} example`} text={text} />,
          }))}
        />
      )
  }
}

function Table({ head, rows }: Extract<Block, { kind: 'table' }>) {
  const titles = renderAll(head, (cell) => <th scope="col">{renderText(cell)}</th>)
  const body = renderAll(rows, (row) => (
    <tr>
      {renderAll(row, (cell) => (
        <td>{renderText(cell)}</td>
      ))}
    </tr>
  ))
  return (
    <div className={styles.scroll} tabIndex={0} role="group" aria-label="Table">
      <table className={styles.table}>
        <thead>
          <tr>{titles}</tr>
        </thead>
        <tbody>{body}</tbody>
      </table>
    </div>
  )
}

function renderText(text: Inlines): ReactNode {
  return renderAll(text, renderInline)
}

function renderInline(part: Inline): ReactNode {
  if (typeof part === 'string') return part
  switch (part.kind) {
    case 'code':
      return <code className={styles.code}>{part.text}</code>
    case 'strong':
      return <strong>{renderText(part.text)}</strong>
    case 'emphasis':
      return <em>{renderText(part.text)}</em>
    case 'link':
      return <DocLink url={part.url}>{renderText(part.text)}</DocLink>
  }
}

/** Pages for operators are not in the dashboard, so a link to one becomes plain text. */
function DocLink({ url, children }: { url: string; children: ReactNode }) {
  if (/^(https?:|#)/.test(url)) return <a href={url}>{children}</a>
  if (url === 'openapi.json') return <a href="/docs">{children}</a>
  const [file = '', hash] = url.split('#')
  const guide = findGuide(file.replace(/\.md$/, ''))
  if (guide === undefined) return children
  return (
    <TextLink to="/guides/$guide" params={{ guide }} {...(hash !== undefined && { hash })} inherit>
      {children}
    </TextLink>
  )
}
