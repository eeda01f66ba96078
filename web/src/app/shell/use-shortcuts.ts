/** Listens for keyboard shortcuts. Their table is loaded with the first key that no field, menu or dialog takes. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { accessOf } from '../../api/access.ts'
import { useSession } from '../../features/auth/session-context.ts'
import { areShortcutsOn } from '../../lib/shortcut-setting.ts'

/** Elements that handle keys themselves. */
const busy =
  'input, textarea, select, [contenteditable], [role=menu], [role=dialog], [role=listbox], [role=tablist]'

export function useShortcuts(open: (dialog: 'search' | 'shortcuts') => void): void {
  const navigate = useNavigate()
  const { member } = useSession()
  const latest = useRef(open)
  useEffect(() => {
    latest.current = open
  })
  useEffect(() => {
    async function handle(event: KeyboardEvent): Promise<void> {
      const { key, target, timeStamp } = event
      if (key.length > 1 || event.defaultPrevented || event.isComposing || event.altKey) return
      if (document.querySelector('[role=dialog]') !== null) return
      if (event.ctrlKey || event.metaKey) {
        if (key.toLowerCase() !== 'k' || event.shiftKey) return
        event.preventDefault()
        latest.current('search')
        return
      }
      if ((target instanceof Element && target.closest(busy) !== null) || !areShortcutsOn()) return
      // Firefox would search in the page.
      if (key === '/') event.preventDefault()
      const { pressKey, shortcutsFor } = await import('./shortcuts.ts')
      const pressed = pressKey(shortcutsFor(accessOf(member)), key, timeStamp)
      if (pressed === undefined) return
      if ('opens' in pressed) latest.current(pressed.opens)
      else void navigate(pressed.link)
    }
    // Without the table, for example after a deployment, keys do nothing.
    const listener = (event: KeyboardEvent): void => void handle(event).catch(() => {})
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [navigate, member])
}
