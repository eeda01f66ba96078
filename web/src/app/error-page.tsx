/** Shown when a page fails to load or render. */
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { CardPage } from '../ui/layout/card-page.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'

export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <CardPage title="Page unavailable">
      <ErrorState error={error} retry={() => void router.invalidate()} />
    </CardPage>
  )
}
