/** Pages that the member may open. Without a session, as during an outage, those that every member may open. */
import { useContext } from 'react'
import { accessOf, pageRole } from '../../api/access.ts'
import { SessionContext } from '../../features/auth/session-context.ts'
import { type NavItem, navItems } from './nav-items.ts'

export function useNavItems(): readonly NavItem[] {
  const session = useContext(SessionContext)
  return navItems.filter(({ to }) =>
    session === null ? pageRole(to) === 'viewer' : accessOf(session.member).mayOpen(to),
  )
}
