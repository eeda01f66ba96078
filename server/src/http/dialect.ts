/**
 * The old dialect: a parameter `action` says what to do, whatever the verb. A GET only ever reads, so that no link,
 * prefetch or cache can change anything.
 */
import { Refusal } from '../model/errors.ts'
import type { Params } from './params.ts'

export type Verb = 'GET' | 'POST' | 'DELETE'

const verbOfAction: ReadonlyMap<string, Verb> = new Map([
  ['read', 'GET'],
  ['subscribe', 'POST'],
  ['unsubscribe', 'DELETE'],
])

export function isActionDialect(params: Params): boolean {
  return params.action !== undefined
}

/** The verb that the caller means. */
export function meantVerb(verb: Verb, params: Params): Verb {
  if (verb === 'GET' || params.action === undefined) return verb
  const meant = verbOfAction.get(params.action)
  if (meant === undefined)
    throw new Refusal(
      'parameterInvalid',
      'The parameter "action" must be one of read, subscribe, unsubscribe.',
    )
  return meant
}
