/** Every call of the public API: verb, path, what it does. Who may call stands in each operation as its access. */
import type { Verb } from './dialect.ts'
import type { Operation } from './operation.ts'
import { createOperation } from './routes/hooks/create.ts'
import { deleteOperation } from './routes/hooks/delete.ts'
import { listOperation } from './routes/hooks/list.ts'
import { readSession } from './routes/session/read.ts'
import { signIn } from './routes/session/sign-in.ts'
import { signOut } from './routes/session/sign-out.ts'

interface ApiRoute {
  verb: Verb
  /** A part such as `:id` is given to the operation under its name. */
  path: string
  operation: Operation
}

/** The contract's path: its parameters are read in every way that existing clients send them. */
export const contractPath = '/api/hooks'

export const apiRoutes: readonly ApiRoute[] = [
  { verb: 'GET', path: contractPath, operation: listOperation },
  { verb: 'POST', path: contractPath, operation: createOperation },
  { verb: 'DELETE', path: contractPath, operation: deleteOperation },

  { verb: 'POST', path: '/api/session', operation: signIn },
  { verb: 'GET', path: '/api/session', operation: readSession },
  { verb: 'DELETE', path: '/api/session', operation: signOut },
]

export function findOperation(verb: Verb, path: string): Operation | undefined {
  return apiRoutes.find((route) => route.verb === verb && route.path === path)?.operation
}

/** The verbs that an actual path has. */
export function verbsOf(path: string): Verb[] {
  return apiRoutes.filter((route) => matches(route.path, path)).map((route) => route.verb)
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, place) => (part.startsWith(':') ? given[place] !== '' : part === given[place]))
  )
}
