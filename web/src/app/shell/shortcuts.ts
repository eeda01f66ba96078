/** Keyboard shortcuts. The same table drives the keys, the list that `?` opens, and the hints of the palette. */
import type { LinkProps } from '@tanstack/react-router'

export interface Shortcut {
  /** Pressed one after the other. */
  keys: readonly string[]
  title: string
  /** A page, or one of the dialogs of the shell. */
  target: { link: LinkProps } | { opens: 'search' | 'shortcuts' }
}

export const shortcuts: readonly Shortcut[] = [
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

const storageName = 'hookline-shortcuts'

/** Users of speech input type single keys by accident, so they can be switched off. */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(storageName) !== 'off'
  } catch {
    return true
  }
}

export function switchShortcuts(isOn: boolean): void {
  try {
    localStorage.setItem(storageName, isOn ? 'on' : 'off')
  } catch {
    // Storage is not allowed: they stay on.
  }
}
