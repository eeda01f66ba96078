/** Lists the valid secrets that a member knows, each with a link to the page that rotates or revokes it. */
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type HeldSecret, type Member, memberSecretsQuery } from '../../../api/members.ts'
import { plural } from '../../../lib/format-number.ts'
import dialog from '../../../ui/feedback/dialog.module.css'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import { nameOf, SecretLink, secretKindText } from './secret-link.tsx'
import styles from './members.module.css'

interface KnownSecretsProps {
  member: Member
  close: () => void
}

export function KnownSecrets({ member, close }: KnownSecretsProps) {
  const { data, error } = useQuery(memberSecretsQuery(member))
  return (
    <SecretsDialog title={`Secrets that ${member.alias} knows`} close={close}>
      <ErrorNotice error={error} isChange={false} />
      {data === undefined && error === null && <Skeleton height={120} />}
      {data?.length === 0 && <p>None. Secrets that were rotated or revoked since are not listed.</p>}
      {data !== undefined && <SecretList secrets={data} />}
    </SecretsDialog>
  )
}

/** The list exists only once, so closing the dialog takes a click. */
export function RemovedMemberSecrets({
  member,
  secrets,
  close,
}: KnownSecretsProps & { secrets: readonly HeldSecret[] }) {
  return (
    <SecretsDialog title={`${member.alias} still knows secrets`} close={close} isBusy>
      <Notice tone="warning" title={`${plural(secrets.length, 'secret')} to rotate or revoke`}>
        They keep working for the former member until then. This list is not shown again. Links open a new
        tab.
      </Notice>
      <SecretList secrets={secrets} />
    </SecretsDialog>
  )
}

interface SecretsDialogProps {
  title: string
  close: () => void
  isBusy?: boolean
  children: ReactNode
}

function SecretsDialog({ children, ...dialogProps }: SecretsDialogProps) {
  return (
    <Dialog {...dialogProps} size="lg">
      <div className={dialog.body}>
        {children}
        <div className={dialog.actions}>
          <Button onClick={dialogProps.close}>Done</Button>
        </div>
      </div>
    </Dialog>
  )
}

function SecretList({ secrets }: { secrets: readonly HeldSecret[] }) {
  return (
    <ul className={styles.secrets}>
      {secrets.map((secret) => (
        <li key={`${secret.kind}:${secret.id}`} className={styles.secret}>
          <div className={styles.secretText}>
            <p className={styles.name}>
              <bdi>{nameOf(secret)}</bdi>
            </p>
            <p className={styles.muted}>
              {secretKindText[secret.kind]} · {secret.is_creator ? 'created' : 'seen'}{' '}
              <RelativeTime at={secret.seen_at} />
            </p>
          </div>
          <SecretLink secret={secret} />
        </li>
      ))}
    </ul>
  )
}
