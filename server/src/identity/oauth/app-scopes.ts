/** Scopes for apps. `all` is excluded, because a consent must not grow when later versions add scopes. */
import { type Scope, scopes } from '../../model/caller.ts'

export const appScopes: readonly Scope[] = Object.keys(scopes)
  .map((scope) => scope as Scope)
  .filter((scope) => scope !== 'all')

export function isAppScope(text: string): text is Scope {
  return appScopes.some((scope) => scope === text)
}
