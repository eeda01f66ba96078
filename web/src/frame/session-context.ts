/** Who is signed in, for everything inside the frame. */
import { createContext, useContext } from 'react'
import type { Session } from '../api/api.ts'

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('only pages inside the frame know who is signed in')
  return session
}
