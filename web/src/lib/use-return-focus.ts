/** Returns the focus to the element that had it before, when the component unmounts. */
import { useLayoutEffect } from 'react'
import { focusHeading } from './focus-heading.ts'

/** The opener may be removed as well, for example the button of a completed action. The focus then moves to the heading. */
const settledMs = 50

export function useReturnFocus(): void {
  useLayoutEffect(() => {
    const opener = openerOf(document.activeElement)
    return () => {
      opener?.focus({ preventScroll: true })
      setTimeout(() => {
        if (document.activeElement === document.body) focusHeading()
      }, settledMs)
    }
  }, [])
}

/** A menu item disappears with its menu, so the menu button counts as the opener. */
function openerOf(active: Element | null): HTMLElement | null {
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  if (typeof button === 'string') return document.getElementById(button)
  return active instanceof HTMLElement ? active : null
}
