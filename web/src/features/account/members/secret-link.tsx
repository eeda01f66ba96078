/** Link to the page that rotates or revokes a secret. A new tab keeps the list of secrets open. */
import type { HeldSecret } from '../../../api/members.ts'
import { ButtonLink } from '../../../ui/layout/links.tsx'
import styles from './members.module.css'

export const secretKindText: Record<HeldSecret['kind'], string> = {
  key: 'API key',
  app: 'Client secret of an app',
  hook: 'Signing secret of a webhook',
  consumer: 'Secret of a consumer',
  account: 'Signing key of the account',
}

/** Webhooks may have no name. An account has one signing key. */
export function nameOf({ kind, id, name }: HeldSecret): string {
  return name ?? (kind === 'hook' ? `Webhook ${id}` : secretKindText[kind])
}

const button = { variant: 'default', size: 'xs', target: '_blank' } as const

export function SecretLink({ secret }: { secret: HeldSecret }) {
  const { kind, id, name } = secret
  const label = `${nameOf(secret)} in a new tab`
  switch (kind) {
    case 'key':
      return (
        <ButtonLink
          {...button}
          to="/keys"
          search={name === null ? {} : { q: name }}
          aria-label={`Revoke key: ${label}`}
        >
          Revoke key
        </ButtonLink>
      )
    case 'app':
      return (
        <ButtonLink {...button} to="/apps/$id" params={{ id }} aria-label={`Rotate secret: ${label}`}>
          Rotate secret
        </ButtonLink>
      )
    case 'hook':
      return (
        <ButtonLink
          {...button}
          to="/webhooks/$id"
          params={{ id }}
          search={{ tab: 'signing' }}
          aria-label={`Rotate secret: ${label}`}
        >
          Rotate secret
        </ButtonLink>
      )
    case 'account':
      return (
        <ButtonLink {...button} to="/account" hash="signing-key" aria-label={`Rotate key: ${label}`}>
          Rotate key
        </ButtonLink>
      )
    case 'consumer':
      // The dashboard has no page for consumers.
      return <p className={styles.muted}>Delete it with the API and create another</p>
  }
}
