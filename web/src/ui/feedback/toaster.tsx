/** Renders toasts. */
import { Suspense } from 'react'
import { lazyOptional } from '../../lib/lazy-optional.ts'
import { useHasToasts } from './toast.ts'

const Notifications = lazyOptional(async () => (await import('@mantine/notifications')).Notifications)

export function Toaster() {
  return useHasToasts() ? (
    <Suspense>
      <Notifications position="bottom-right" />
    </Suspense>
  ) : null
}
