/** A short word about something that is done, or could not be, for those who see and those who hear. */
import { type ReactNode, useSyncExternalStore } from 'react'

let hasSaid = false
const waiting = new Set<() => void>()

/** What shows such words is loaded with the first of them. */
export function say(message: ReactNode, tone: 'good' | 'bad' = 'good'): void {
  hasSaid = true
  for (const wake of waiting) wake()
  void import('@mantine/notifications').then(({ notifications }) =>
    notifications.show({
      message,
      color: tone === 'good' ? 'teal' : 'red',
      withBorder: true,
      closeButtonProps: { 'aria-label': 'Close' },
      // What can be pressed must be found first.
      autoClose: tone === 'good' && typeof message === 'string' ? 4_000 : 10_000,
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
