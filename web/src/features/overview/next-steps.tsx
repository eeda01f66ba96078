/** Guides a new account to its first delivered event. Loaded after the page, which shows alerts first. */
import { Suspense } from 'react'
import { lazyOptional } from '../../lib/lazy-optional.ts'

const FirstSteps = lazyOptional(async () => (await import('../onboarding/first-steps.tsx')).FirstSteps)

export function NextSteps() {
  return (
    <Suspense>
      <FirstSteps />
    </Suspense>
  )
}
