/** Lists the passkeys of the user, to add, rename and remove them. */
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Passkey, passkeysQuery } from '../../api/passkeys.ts'
import { supportsPasskeys } from '../../lib/passkey.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import styles from './account.module.css'
import { AddPasskey } from './add-passkey.tsx'
import { RemovePasskey, RenamePasskey } from './passkey-dialogs.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type PasskeyRequest =
  | { kind: 'add' }
  | { kind: 'rename' | 'remove'; passkey: Passkey }
  | { kind: 'codes'; codes: readonly string[] }

export function Passkeys() {
  const passkeys = useQuery(passkeysQuery)
  const [request, setRequest] = useState<PasskeyRequest | null>(null)
  const close = () => setRequest(null)
  if (passkeys.data === undefined)
    return passkeys.isError ? (
      <ErrorState error={passkeys.error} retry={() => void passkeys.refetch()} />
    ) : (
      <Skeleton height={69} radius="md" />
    )
  const isLast = passkeys.data.length === 1
  return (
    <>
      {passkeys.data.length === 0 ? (
        <NoPasskeys add={() => setRequest({ kind: 'add' })} />
      ) : (
        <>
          <ul className={styles.sessions} aria-label="Passkeys">
            {passkeys.data.map((passkey) => (
              <PasskeyEntry
                key={passkey.id}
                passkey={passkey}
                open={(kind) => setRequest({ kind, passkey })}
              />
            ))}
          </ul>
          {supportsPasskeys() && (
            <Button variant="default" onClick={() => setRequest({ kind: 'add' })}>
              Add passkey
            </Button>
          )}
        </>
      )}
      {request?.kind === 'add' && (
        <AddPasskey showCodes={(codes) => setRequest({ kind: 'codes', codes })} close={close} />
      )}
      {request?.kind === 'rename' && <RenamePasskey passkey={request.passkey} close={close} />}
      {request?.kind === 'remove' && (
        <RemovePasskey passkey={request.passkey} isLast={isLast} close={close} />
      )}
      {request?.kind === 'codes' && <RecoveryCodes codes={request.codes} close={close} />}
    </>
  )
}

function NoPasskeys({ add }: { add: () => void }) {
  if (!supportsPasskeys())
    return (
      <Notice tone="neutral" title="Passkeys are not available">
        Passkeys need a browser that supports them, and a host name with https.
      </Notice>
    )
  return (
    <Notice
      tone="neutral"
      title="No passkeys"
      actions={
        <Button size="xs" onClick={add}>
          Add passkey
        </Button>
      }
    >
      Sign in with your fingerprint, face, PIN or security key.
    </Notice>
  )
}

interface PasskeyEntryProps {
  passkey: Passkey
  open: (kind: 'rename' | 'remove') => void
}

function PasskeyEntry({ passkey, open }: PasskeyEntryProps) {
  const { name, is_synced: isSynced, created_at: createdAt, last_used_at: lastUsedAt } = passkey
  return (
    <li className={styles.session}>
      <div className={styles.sessionText}>
        <p className={styles.name}>
          <bdi>{name}</bdi>
          {isSynced && <Tag>Synced</Tag>}
        </p>
        <p className={styles.muted}>
          Added <RelativeTime at={createdAt} /> ·{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <RelativeTime at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <div className={styles.actions}>
        <Button variant="default" size="xs" onClick={() => open('rename')} aria-label={`Rename ${name}`}>
          Rename
        </Button>
        <Button variant="default" size="xs" onClick={() => open('remove')} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </div>
    </li>
  )
}
