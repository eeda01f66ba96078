/** Moves the focus to the page heading. For use when the focused element is removed. */
export function focusHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true })
}
