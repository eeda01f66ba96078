/** Session of the signed-in user, for all pages inside the shell. */
import { createContext, useContext } from 'react'
import type { Session } from '../../api/client.ts'

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('useSession requires a page inside the shell')
  return session
}
