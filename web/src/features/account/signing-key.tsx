/** The account's signing key: reveal, rotation with an overlap, and whether calls must be signed. */
import { Button, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  signingQuery,
  useRequireSignedCalls,
  useRotateSigningKey,
  useSwitchSigningKey,
  useViewSigningKey,
} from '../../api/signing-key.ts'
import { useAccess } from '../auth/use-access.ts'
import { Secret } from '../../ui/data/secret.tsx'
import { ConfirmDanger } from '../../ui/feedback/confirm-danger.tsx'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import form from '../../ui/form/form.module.css'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import styles from './account.module.css'

export function SigningKey() {
  const isAdmin = useAccess().hasRole('admin')
  const settings = useQuery(signingQuery)
  const view = useViewSigningKey()
  const rotate = useRotateSigningKey()
  const switchNow = useSwitchSigningKey()
  const requirement = useRequireSignedCalls()
  const [open, setOpen] = useState<'rotate' | 'switch' | 'require'>()
  const close = () => setOpen(undefined)
  /** Keys revealed before a change are out of date. */
  const [keys, setKeys] = useState<NonNullable<typeof view.data>>()
  if (settings.data === undefined) return <ErrorNotice error={settings.error} isChange={false} />

  const { switches_at: switchesAt, signed_calls_required: isRequired } = settings.data
  return (
    <div className={styles.stack}>
      <ErrorNotice error={view.error} isChange={false} />
      {switchesAt !== null && (
        <Notice
          tone="warning"
          title="Rotation in progress"
          {...(isAdmin && {
            actions: (
              <Button variant="default" size="xs" onClick={() => setOpen('switch')}>
                Switch now
              </Button>
            ),
          })}
        >
          Deliveries switch to the next key <RelativeTime at={switchesAt} />. Until then, calls can be signed
          with both keys.
        </Notice>
      )}
      {keys !== undefined && (
        <>
          <div>
            {keys.next_signing_key !== null && <p>Current key:</p>}
            <Secret text={keys.signing_key} label="signing key" />
          </div>
          {keys.next_signing_key !== null && (
            <div>
              <p>Next key:</p>
              <Secret text={keys.next_signing_key} label="next signing key" />
            </div>
          )}
        </>
      )}
      <div className={form.actions}>
        {keys === undefined && (
          <Button
            variant="default"
            loading={view.isPending}
            onClick={() => view.mutate(undefined, { onSuccess: setKeys })}
          >
            Reveal key
          </Button>
        )}
        {isAdmin && (
          <Button variant="default" onClick={() => setOpen('rotate')}>
            Rotate key
          </Button>
        )}
      </div>
      {isAdmin ? (
        <Switch
          label="Require signed calls"
          description="Rejects unsigned calls with any API key, access token, or login and password of this account."
          checked={isRequired}
          disabled={requirement.isPending}
          onChange={() => (isRequired ? requirement.mutate(false) : setOpen('require'))}
        />
      ) : (
        <p className={styles.muted}>Signed calls are {isRequired ? 'required' : 'optional'}.</p>
      )}
      <ErrorNotice error={requirement.error} />
      {open === 'rotate' && (
        <ConfirmDanger
          title="Rotate the signing key?"
          action="Rotate key"
          act={async () => setKeys(await rotate.mutateAsync())}
          close={close}
        >
          Creates the next key. For 24 hours, deliveries carry a signature of each key, and calls can be
          signed with either. Update your programs in that time.
          {switchesAt !== null && ' The next key of the rotation in progress becomes invalid.'}
        </ConfirmDanger>
      )}
      {open === 'switch' && (
        <ConfirmDanger
          title="Switch to the next signing key?"
          action="Switch now"
          act={async () => setKeys(await switchNow.mutateAsync())}
          close={close}
        >
          The current key becomes invalid at once. Receivers and programs that still use it reject deliveries,
          and their signed calls fail.
        </ConfirmDanger>
      )}
      {open === 'require' && (
        <ConfirmDanger
          title="Require signed calls?"
          action="Require signatures"
          act={() => requirement.mutateAsync(true)}
          close={close}
        >
          Every unsigned call of your programs and of authorized apps fails from now on. The dashboard keeps
          working.
        </ConfirmDanger>
      )}
    </div>
  )
}
