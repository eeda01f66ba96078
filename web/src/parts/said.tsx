/** Where short words appear. */
import { Suspense } from 'react'
import { lazyOrNothing } from './lazy-or-nothing.ts'
import { useHasSaid } from './say.ts'

const Notifications = lazyOrNothing(async () => (await import('@mantine/notifications')).Notifications)

export function Said() {
  return useHasSaid() ? (
    <Suspense>
      <Notifications position="bottom-right" />
    </Suspense>
  ) : null
}
