/** Every call of the public API: verb, path, what it does. Who may call stands in each operation as its scope. */
import type { Verb } from './dialect.ts'
import type { Operation } from './operation.ts'
import { createOperation } from './routes/hooks/create.ts'
import { deleteOperation } from './routes/hooks/delete.ts'
import { listOperation } from './routes/hooks/list.ts'

interface ApiRoute {
  verb: Verb
  path: string
  operation: Operation
}

export const apiRoutes: readonly ApiRoute[] = [
  { verb: 'GET', path: '/api/hooks', operation: listOperation },
  { verb: 'POST', path: '/api/hooks', operation: createOperation },
  { verb: 'DELETE', path: '/api/hooks', operation: deleteOperation },
]

export function findOperation(verb: Verb, path: string): Operation | undefined {
  return apiRoutes.find((route) => route.verb === verb && route.path === path)?.operation
}

export function verbsOf(path: string): Verb[] {
  return apiRoutes.filter((route) => route.path === path).map((route) => route.verb)
}
