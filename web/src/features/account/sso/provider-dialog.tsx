/** Sets up or changes the identity provider. Hookline fetches its configuration first, so errors appear at the issuer. */
import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isErrorCode } from '../../../api/client.ts'
import type { Confirmation } from '../../../api/passkeys.ts'
import { type Connection, useConfigureSso } from '../../../api/sso.ts'
import { findErrorField } from '../../../messages/errors.ts'
import { Mono } from '../../../ui/data/mono.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import form from '../../../ui/form/form.module.css'
import { PasswordPrompt } from '../../auth/password-prompt.tsx'
import styles from './sso.module.css'

interface ProviderDialogProps {
  connection: Connection | null
  redirectUri: string
  close: () => void
}

const fields = {
  name: 'name',
  issuer: 'issuer',
  client_id: 'client_id',
  client_secret: 'client_secret',
} as const
type Field = keyof typeof fields

export function ProviderDialog({ connection, redirectUri, close }: ProviderDialogProps) {
  const configure = useConfigureSso()
  const [values, setValues] = useState({
    name: connection?.name ?? '',
    issuer: connection?.issuer ?? '',
    client_id: connection?.client_id ?? '',
    client_secret: '',
  })
  const [rejected, setRejected] = useState<{ field: Field; message: string }>()
  const issuer = values.issuer.trim()
  const clientId = values.client_id.trim()
  const isOtherIssuer = connection !== null && connection.issuer !== issuer
  const isSameClient = connection !== null && !isOtherIssuer && connection.client_id === clientId
  const isSecretKept = isSameClient && connection.has_client_secret

  const save = async (confirmation: Confirmation) => {
    setRejected(undefined)
    const { name, client_secret: secret } = values
    try {
      await configure.mutateAsync({
        name: name.trim(),
        issuer,
        client_id: clientId,
        ...(secret !== '' && { client_secret: secret }),
        ...confirmation,
      })
    } catch (error) {
      const field = findErrorField(error, fields) ?? (isErrorCode(error, 'ssoFailed') ? 'issuer' : undefined)
      if (field === undefined || !(error instanceof Error)) throw error
      setRejected({ field, message: error.message })
      return
    }
    close()
    toast('Identity provider saved')
  }
  const input = (field: Field) => ({
    value: values[field],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setRejected(undefined)
      setValues((before) => ({ ...before, [field]: value }))
    },
    error: rejected?.field === field && rejected.message,
    autoComplete: 'off',
    spellCheck: false,
    withAsterisk: false,
  })

  return (
    <PasswordPrompt
      title={connection === null ? 'Set up single sign-on' : 'Change identity provider'}
      action="Save provider"
      act={save}
      close={close}
    >
      <div className={form.wide}>
        <div>
          <p className={styles.muted}>Register this redirect URI at the provider:</p>
          <Mono text={redirectUri} label="redirect URI" />
        </div>
        <TextInput
          label="Name"
          description="For users, for example Okta."
          required
          data-autofocus={connection === null || undefined}
          {...input('name')}
        />
        <TextInput
          label="Issuer"
          description="Exactly as the provider names it, for example https://sso.example.com/realms/main for Keycloak."
          type="url"
          required
          {...input('issuer')}
        />
        <TextInput label="Client ID" required {...input('client_id')} />
        <PasswordInput
          label="Client secret"
          description={
            isSecretKept
              ? 'Leave empty to keep the saved secret.'
              : 'Leave empty if the client has none (public client with PKCE).'
          }
          {...input('client_secret')}
          autoComplete="new-password"
        />
        {isOtherIssuer && (
          <Notice tone="warning" title="Another issuer unlinks all users">
            Their sessions of single sign-on end. Members link their logins again.
          </Notice>
        )}
        {connection !== null && connection.is_required && !isSameClient && (
          <Notice tone="warning" title="Passwords work again">
            Another provider or client lifts the requirement, until you have tested the sign-in.
          </Notice>
        )}
      </div>
    </PasswordPrompt>
  )
}
