/** Shows a page or a part of it to members with a role. All others see which role it needs, and who can give it. */
import { type ReactNode, Suspense } from 'react'
import type { Role } from '../../api/client.ts'
import { lazyPart } from '../../lib/load-chunk.ts'
import { useAccess } from './use-access.ts'

/** Loaded when it is needed, because members see no links to such pages. */
const RoleNeeded = lazyPart(async () => (await import('./role-needed.tsx')).RoleNeeded)

interface RoleGateProps {
  needed: Role
  /** Heading of the page, unless it stays above the gate. */
  title?: string | undefined
  children: ReactNode
}

export function RoleGate({ needed, title, children }: RoleGateProps) {
  return useAccess().hasRole(needed) ? (
    children
  ) : (
    <Suspense>
      <RoleNeeded needed={needed} title={title} />
    </Suspense>
  )
}
