/** Gives the focus back, when what is shown goes, to what had it before. */
import { useLayoutEffect } from 'react'
import { focusHeading } from './focus-heading.ts'

/** What opened it may go too, together with it or a moment later: the button of a deed that is done. */
const settledMs = 50

export function useFocusBack(): void {
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

/** An entry of a menu goes with its menu: the menu's button stays. */
function openerOf(active: Element | null): HTMLElement | null {
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  if (typeof button === 'string') return document.getElementById(button)
  return active instanceof HTMLElement ? active : null
}
