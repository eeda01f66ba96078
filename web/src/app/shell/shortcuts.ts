/** Keyboard shortcuts. The same table drives the keys, the list that `?` opens, and the hints of the palette. */
import type { LinkProps } from '@tanstack/react-router'
import type { Access } from '../../api/access.ts'

export interface Shortcut {
  /** Pressed one after the other. */
  keys: readonly string[]
  title: string
  /** A page, or one of the dialogs of the shell. */
  target: { link: LinkProps } | { opens: 'search' | 'shortcuts' }
}

const all: readonly Shortcut[] = [
  { keys: ['/'], title: 'Search and commands', target: { opens: 'search' } },
  { keys: ['?'], title: 'Keyboard shortcuts', target: { opens: 'shortcuts' } },
  { keys: ['n'], title: 'New webhook', target: { link: { to: '/webhooks/new' } } },
  { keys: ['g', 'o'], title: 'Overview', target: { link: { to: '/' } } },
  { keys: ['g', 'w'], title: 'Webhooks', target: { link: { to: '/webhooks' } } },
  { keys: ['g', 'e'], title: 'Events', target: { link: { to: '/events' } } },
  { keys: ['g', 'r'], title: 'Replays', target: { link: { to: '/replays' } } },
  { keys: ['g', 'k'], title: 'API keys', target: { link: { to: '/keys' } } },
  { keys: ['g', 'p'], title: 'Apps', target: { link: { to: '/apps' } } },
  { keys: ['g', 'a'], title: 'Account', target: { link: { to: '/account' } } },
]

/** Without pages that the member may not open. */
export function shortcutsFor({ mayOpen }: Pick<Access, 'mayOpen'>): readonly Shortcut[] {
  return all.filter(({ target }) => 'opens' in target || mayOpen(target.link.to ?? '/'))
}

const sequenceMs = 1_500
let first: { key: string; at: number } | undefined

/** Returns the target of a pressed key, or of two keys one after the other. `at` is in milliseconds. */
export function pressKey(
  shortcuts: readonly Shortcut[],
  key: string,
  at: number,
): Shortcut['target'] | undefined {
  const typed = first !== undefined && at - first.at < sequenceMs ? [first.key, key] : [key]
  const found = shortcuts.find(({ keys }) => keys.join(' ') === typed.join(' '))
  const isStart = found === undefined && shortcuts.some(({ keys }) => keys.length > 1 && keys[0] === key)
  first = isStart ? { key, at } : undefined
  return found?.target
}
