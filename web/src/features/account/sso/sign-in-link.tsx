/** Link that signs users in with the provider of the account. */
import type { Connection } from '../../../api/sso.ts'
import { Mono } from '../../../ui/data/mono.tsx'

export function SignInLink({ connection }: { connection: Connection }) {
  const link = new URL(`/sign-in/sso?connection=${encodeURIComponent(connection.id)}`, location.origin)
  return <Mono text={link.href} label="sign-in link" />
}
