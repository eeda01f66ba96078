/** Layout of signed-in pages: navigation, breadcrumb, search, account and theme menus. */
import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatches } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { pageRole } from '../../api/access.ts'
import { redirectToSignIn, sessionQuery } from '../../api/client.ts'
import { isActive, replaysQuery } from '../../api/replays.ts'
import { lazyOptional } from '../../lib/lazy-optional.ts'
import { Frame } from './frame.tsx'
import { StaleDataBanner } from './stale-data-banner.tsx'
import { RoleGate } from '../../features/auth/role-gate.tsx'
import { SessionContext } from '../../features/auth/session-context.ts'
import { TopBar } from './top-bar.tsx'

export function Shell() {
  const session = useQuery(sessionQuery).data
  useEffect(() => {
    if (session === null) redirectToSignIn()
  }, [session])
  if (session === undefined || session === null) return null
  return (
    <SessionContext value={session}>
      <Frame
        top={
          <>
            <TopBar />
            <StaleDataBanner />
            <ActiveReplays />
          </>
        }
      >
        <Page />
      </Frame>
    </SessionContext>
  )
}

function Page() {
  const page = useMatches({ select: (matches) => matches.at(-1) })
  return (
    <RoleGate needed={pageRole(page?.fullPath ?? '/')} title={page?.staticData.title}>
      <Outlet />
    </RoleGate>
  )
}

/** Loaded when a replay is active. */
const ReplayBanner = lazyOptional(
  async () => (await import('../../features/replays/replay-banner.tsx')).ReplayBanner,
)

function ActiveReplays() {
  const hasActiveReplay = useQuery(replaysQuery).data?.some(isActive) === true
  return <Suspense>{hasActiveReplay && <ReplayBanner />}</Suspense>
}
