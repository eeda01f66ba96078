import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type SessionEntry,
  sessionsQuery,
  useRevokeOtherSessions,
  useRevokeSession,
} from '../../api/account.ts'
import { ConfirmDanger } from '../../ui/feedback/confirm-danger.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import { formatBrowser } from '../../lib/browser.ts'
import { plural } from '../../lib/format-number.ts'
import styles from './account.module.css'

export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const revoke = useRevokeSession()
  if (sessions.data === undefined)
    return sessions.isError ? (
      <ErrorState error={sessions.error} retry={() => void sessions.refetch()} />
    ) : (
      <Skeleton height={69} radius="md" />
    )
  const others = sessions.data.filter((session) => !session.is_current).length
  return (
    <>
      <ul className={styles.sessions}>
        {sessions.data.map((session) => (
          <Session
            key={session.id}
            session={session}
            revoke={() => revoke.mutate(session, { onSuccess: () => toast('Session signed out') })}
          />
        ))}
      </ul>
      <ErrorNotice error={revoke.error} />
      {others > 0 && <SignOutOthers count={others} />}
    </>
  )
}

function Session({ session, revoke }: { session: SessionEntry; revoke: () => void }) {
  const browser = formatBrowser(session.user_agent)
  return (
    <li className={styles.session}>
      <div className={styles.sessionText}>
        <p className={styles.name}>
          <span title={session.user_agent}>{browser}</span>
          {session.is_current && <StateBadge tone="info" label="Current session" />}
        </p>
        <p className={styles.muted}>
          {session.ip} · last used <RelativeTime at={session.last_used_at} /> · signed in{' '}
          <RelativeTime at={session.created_at} />
        </p>
      </div>
      {!session.is_current && (
        <Button
          variant="default"
          size="xs"
          onClick={revoke}
          aria-label={`Sign out ${browser} from ${session.ip}`}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}

function SignOutOthers({ count }: { count: number }) {
  const [isOpen, setOpen] = useState(false)
  const revoke = useRevokeOtherSessions()
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Sign out other sessions
      </Button>
      {isOpen && (
        <ConfirmDanger
          title="Sign out other sessions?"
          action={`Sign out ${plural(count, 'session')}`}
          act={async () => {
            const { revoked } = await revoke.mutateAsync()
            toast(`${plural(revoked, 'session')} signed out`)
          }}
          close={() => setOpen(false)}
        >
          These browsers must sign in again. This browser stays signed in.
        </ConfirmDanger>
      )}
    </>
  )
}
