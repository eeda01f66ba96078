/** Shown when a page fails to load or render. Pages inside the shell keep it. */
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { useContext } from 'react'
import { SessionContext } from '../features/auth/session-context.ts'
import { CardPage } from '../ui/layout/card-page.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'

const title = 'Page unavailable'

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const isInShell = useContext(SessionContext) !== null
  const retry = () => {
    reset()
    void router.invalidate()
  }
  const state = <ErrorState error={error} retry={retry} />
  return isInShell ? (
    <>
      <PageHeader title={title} />
      {state}
    </>
  ) : (
    <CardPage title={title}>{state}</CardPage>
  )
}
