/**
 * The legacy dialect: the parameter `action` selects the operation, independent of the method. Existing clients also
 * subscribe and unsubscribe by GET, with all parameters in the query.
 */
import { ApiError } from '../../model/errors.ts'
import type { Params } from './contract-params.ts'

export type Verb = 'GET' | 'POST' | 'DELETE'

const verbOfAction: ReadonlyMap<string, Verb> = new Map([
  ['read', 'GET'],
  ['subscribe', 'POST'],
  ['unsubscribe', 'DELETE'],
])

export function isActionDialect(params: Params): boolean {
  return params.action !== undefined
}

/** Returns the verb of the requested action. */
export function effectiveVerb(verb: Verb, params: Params): Verb {
  if (params.action === undefined) return verb
  const requested = verbOfAction.get(params.action)
  if (requested === undefined)
    throw new ApiError(
      'parameterInvalid',
      'The parameter "action" must be one of read, subscribe, unsubscribe.',
    )
  return requested
}

/**
 * Rejects changes by a method that promises not to change anything. A GET may change data only with a credential that
 * the client added itself: browsers add the session cookie to links, images and prefetches of other sites.
 */
export function rejectUnsafeChange(method: string, requested: Verb, isSession: boolean): void {
  if (requested === 'GET') return
  if (method === 'HEAD')
    throw new ApiError('methodNotAllowed', 'A HEAD request changes nothing. Use GET, POST or DELETE.', {
      headers: { allow: 'GET, POST, DELETE' },
    })
  if (method === 'GET' && isSession)
    throw new ApiError(
      'csrfFailed',
      'A signed-in user cannot change webhooks by GET. Use POST or DELETE with the CSRF token, or send an API key.',
    )
}
