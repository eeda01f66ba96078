/** Confirms a sensitive action by a new sign-in at the identity provider, for users who may have no password. */
import { Anchor } from '@mantine/core'
import type { Session } from '../../api/client.ts'
import { useConfirmSso } from '../../api/sso.ts'
import { useNow } from '../../lib/use-now.ts'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import styles from './sign-in.module.css'

/** Whether the session has a sign-in at the provider that still counts. */
export function useIsConfirmed(sso: Session['sso'] | undefined): boolean {
  const now = useNow()
  return sso?.confirmed_until != null && Date.parse(sso.confirmed_until) > now
}

export function ConfirmBySso({ name }: { name: string }) {
  const confirm = useConfirmSso()
  return (
    <>
      <div>
        <p>No password? Sign in at the provider again, then start again here. Your input is not kept.</p>
        <Anchor
          component="button"
          type="button"
          inherit
          className={styles.confirm}
          disabled={confirm.isPending}
          onClick={() => confirm.mutate()}
        >
          Confirm with <bdi>{name}</bdi>
        </Anchor>
      </div>
      <ErrorNotice error={confirm.error} />
    </>
  )
}
