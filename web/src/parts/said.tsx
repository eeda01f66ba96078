/** Where short words appear. */
import { lazy, Suspense } from 'react'
import { useHasSaid } from './say.ts'

const Notifications = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }))

export function Said() {
  return useHasSaid() ? (
    <Suspense>
      <Notifications position="bottom-right" />
    </Suspense>
  ) : null
}
