/** Texts for deprecated authentication methods. */
import type { DeprecatedUse } from '../api/api-keys.ts'

export const deprecatedAuthText: Record<DeprecatedUse['kind'], { title: string; example: string }> = {
  'parameter-key': { title: 'API key in parameter p', example: '?p=<your key>' },
  'login-password': { title: 'login and password in parameters u and p', example: '?u=<login>&p=<password>' },
}
