/** Toasts that report the result of an action. */
import { type ReactNode, useSyncExternalStore } from 'react'

let hasToasts = false
const listeners = new Set<() => void>()

/** The notification library is loaded with the first toast. */
export function toast(message: string, tone: 'success' | 'danger' = 'success'): void {
  show(() => message, tone, tone === 'success' ? 4_000 : 10_000)
}

/** Stays open until closed, so that the action remains reachable. */
export function toastWithAction(message: (close: () => void) => ReactNode): void {
  show(message, 'success', false)
}

let lastId = 0

function show(
  message: (close: () => void) => ReactNode,
  tone: 'success' | 'danger',
  autoClose: number | false,
): void {
  hasToasts = true
  for (const listener of listeners) listener()
  const id = `toast-${(lastId += 1)}`
  void import('@mantine/notifications').then(({ notifications }) =>
    notifications.show({
      id,
      message: message(() => notifications.hide(id)),
      color: tone === 'success' ? 'teal' : 'red',
      withBorder: true,
      closeButtonProps: { 'aria-label': 'Close' },
      autoClose,
    }),
  )
}

export function useHasToasts(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hasToasts,
  )
}
