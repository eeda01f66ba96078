/** A page of `docs/` as data, made at build time by `web/guide-plugin.ts`. */
export interface Guide {
  title: string
  blocks: readonly Block[]
}

export type Block =
  | { kind: 'heading'; level: 2 | 3; id: string; text: Inlines }
  | { kind: 'paragraph'; text: Inlines }
  | { kind: 'list'; isOrdered: boolean; items: readonly (readonly Block[])[] }
  | { kind: 'table'; head: readonly Inlines[]; rows: readonly (readonly Inlines[])[] }
  | { kind: 'code'; language: string; text: string }
  /** Files that the page links to, one per language. */
  | { kind: 'examples'; files: readonly { title: string; text: string }[] }

export type Inlines = readonly Inline[]

export type Inline =
  | string
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; text: Inlines }
  /** `url` as in the page: relative to `docs/`. */
  | { kind: 'link'; url: string; text: Inlines }
