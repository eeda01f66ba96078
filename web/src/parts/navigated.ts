/** Whether the person has moved within the application; the first page leaves the focus to the browser. */
let navigated = false

export function noteNavigation(): void {
  navigated = true
}

export function hasNavigated(): boolean {
  return navigated
}
