/** Handles keyboard shortcuts: single keys, and two keys one after the other. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { areShortcutsOn, shortcuts } from './shortcuts.ts'

const sequenceMs = 1_500

/** Keys belong to a field, a menu or a dialog that has the focus. */
const busy =
  'input, textarea, select, [contenteditable], [role=menu], [role=dialog], [role=listbox], [role=tablist]'

export function useShortcuts(open: (dialog: 'search' | 'shortcuts') => void): void {
  const navigate = useNavigate()
  const latest = useRef(open)
  useEffect(() => {
    latest.current = open
  })
  useEffect(() => {
    let first: { key: string; at: number } | undefined
    function handle(event: KeyboardEvent): void {
      const { key, target } = event
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      const isDialogOpen = document.querySelector('[role=dialog]') !== null
      if (event.ctrlKey || event.metaKey) {
        if (key.toLowerCase() !== 'k' || event.shiftKey || isDialogOpen) return
        event.preventDefault()
        latest.current('search')
        return
      }
      if (isDialogOpen || (target instanceof Element && target.closest(busy) !== null)) return
      if (!areShortcutsOn()) return
      const typed = first !== undefined && event.timeStamp - first.at < sequenceMs ? [first.key, key] : [key]
      const found = shortcuts.find(({ keys }) => keys.join(' ') === typed.join(' '))
      first = undefined
      if (found === undefined) {
        if (shortcuts.some(({ keys }) => keys.length > 1 && keys[0] === key))
          first = { key, at: event.timeStamp }
        return
      }
      event.preventDefault()
      if ('opens' in found.target) latest.current(found.target.opens)
      else void navigate(found.target.link)
    }
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [navigate])
}
