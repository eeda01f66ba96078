/** What is said of a way to send a credential that will go away, and the call to change to. */
import type { DeprecatedUse } from '../api/keys.ts'

export const deprecatedWords: Record<DeprecatedUse['kind'], { title: string; old: string }> = {
  'parameter-key': { title: 'an API key in the parameter p', old: '?p=<your key>' },
  'login-password': { title: 'login and password in the parameters u and p', old: '?u=<login>&p=<password>' },
}
