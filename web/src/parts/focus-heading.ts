/** Where the focus goes when what had it is gone: to the beginning of the page. */
export function focusHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true })
}
