/** Records whether the user has navigated within the app. On the first page, the browser keeps control of the focus. */
let navigated = false

export function noteNavigation(): void {
  navigated = true
}

export function hasNavigated(): boolean {
  return navigated
}
