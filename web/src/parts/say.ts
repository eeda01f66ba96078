/** A short word about something that is done, or could not be, for those who see and those who hear. */
import { type ReactNode, useSyncExternalStore } from 'react'

let hasSaid = false
const waiting = new Set<() => void>()

/** What shows such words is loaded with the first of them. */
export function say(message: string, tone: 'good' | 'bad' = 'good'): void {
  show(() => message, tone, tone === 'good' ? 4_000 : 10_000)
}

/** Stays until it is closed: what can be pressed must be found first. */
export function offer(message: (close: () => void) => ReactNode): void {
  show(message, 'good', false)
}

let lastId = 0

function show(
  message: (close: () => void) => ReactNode,
  tone: 'good' | 'bad',
  autoClose: number | false,
): void {
  hasSaid = true
  for (const wake of waiting) wake()
  const id = `said-${(lastId += 1)}`
  void import('@mantine/notifications').then(({ notifications }) =>
    notifications.show({
      id,
      message: message(() => notifications.hide(id)),
      color: tone === 'good' ? 'teal' : 'red',
      withBorder: true,
      closeButtonProps: { 'aria-label': 'Close' },
      autoClose,
    }),
  )
}

export function useHasSaid(): boolean {
  return useSyncExternalStore(
    (wake) => {
      waiting.add(wake)
      return () => waiting.delete(wake)
    },
    () => hasSaid,
  )
}
