/** When a page cannot be shown at all: the service is away, or we made a mistake. */
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { CardPage } from '../parts/card-page.tsx'
import { ErrorState } from '../parts/error-state.tsx'

export function BrokenPage({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <CardPage title="This page cannot be shown">
      <ErrorState error={error} retry={() => void router.invalidate()} />
    </CardPage>
  )
}
