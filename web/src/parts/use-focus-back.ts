/** Gives the focus back, when what is shown goes, to what had it before. */
import { useLayoutEffect } from 'react'

export function useFocusBack(): void {
  useLayoutEffect(() => {
    const opener = openerOf(document.activeElement)
    return () => {
      // What opened it may be gone, as the button of an empty list is that has an entry now.
      const back = opener?.isConnected === true ? opener : document.querySelector('h1')
      back?.focus({ preventScroll: true })
    }
  }, [])
}

/** An entry of a menu goes with its menu: the menu's button stays. */
function openerOf(active: Element | null): HTMLElement | null {
  const button = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  if (typeof button === 'string') return document.getElementById(button)
  return active instanceof HTMLElement ? active : null
}
