/** The identity provider of the account. The client secret is never shown. */
import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Connection } from '../../../api/sso.ts'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { Mono } from '../../../ui/data/mono.tsx'
import account from '../account.module.css'
import styles from './sso.module.css'
import { useMayChangeSso } from './use-may-change-sso.ts'

/** Loaded on demand. */
const ProviderDialog = lazyPart(async () => (await import('./provider-dialog.tsx')).ProviderDialog)

interface ProviderProps {
  connection: Connection
  redirectUri: string
}

export function Provider({ connection, redirectUri }: ProviderProps) {
  const mayChange = useMayChangeSso()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={account.stack}>
      <dl className={styles.facts}>
        <dt>Name</dt>
        <dd>
          <bdi>{connection.name}</bdi>
        </dd>
        <dt>Issuer</dt>
        <dd>
          <Mono text={connection.issuer} label="issuer" />
        </dd>
        <dt>Client ID</dt>
        <dd>
          <Mono text={connection.client_id} label="client ID" />
        </dd>
        <dt>Client secret</dt>
        <dd>{connection.has_client_secret ? 'Saved, never shown' : 'None'}</dd>
        <dt>Redirect URI</dt>
        <dd>
          <Mono text={redirectUri} label="redirect URI" />
        </dd>
      </dl>
      {mayChange && (
        <div className={styles.actions}>
          <Button variant="default" onClick={() => setOpen(true)}>
            Change provider
          </Button>
        </div>
      )}
      <Suspense>
        {isOpen && (
          <ProviderDialog connection={connection} redirectUri={redirectUri} close={() => setOpen(false)} />
        )}
      </Suspense>
    </div>
  )
}
