/** What apps can ask for. Not `all`: what a person agrees to must not grow when a later version can do more. */
import { type Scope, scopes } from '../../model/caller.ts'

export const appScopes: readonly Scope[] = Object.keys(scopes)
  .map((scope) => scope as Scope)
  .filter((scope) => scope !== 'all')

export function isAppScope(text: string): text is Scope {
  return appScopes.some((scope) => scope === text)
}
