import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type SessionEntry, sessionsQuery, useEndOtherSessions, useEndSession } from '../../api/account.ts'
import { ConfirmDanger } from '../../parts/confirm-danger.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { say } from '../../parts/say.ts'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { browserWords } from '../../words/browser.ts'
import { counted } from '../../words/count.ts'
import styles from './account.module.css'

export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const end = useEndSession()
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
            end={() => end.mutate(session, { onSuccess: () => say('The session is ended.') })}
          />
        ))}
      </ul>
      <FailureNote error={end.error} />
      {others > 0 && <EndOthers count={others} />}
    </>
  )
}

function Session({ session, end }: { session: SessionEntry; end: () => void }) {
  const browser = browserWords(session.user_agent)
  return (
    <li className={styles.session}>
      <div className={styles.sessionWords}>
        <p className={styles.name}>
          <span title={session.user_agent}>{browser}</span>
          {session.is_current && <StateBadge tone="accent" word="This one" />}
        </p>
        <p className={styles.quiet}>
          {session.ip} · used <Time at={session.last_used_at} /> · since <Time at={session.created_at} />
        </p>
      </div>
      {!session.is_current && (
        <Button
          variant="default"
          size="xs"
          onClick={end}
          aria-label={`End the session in ${browser} from ${session.ip}`}
        >
          End
        </Button>
      )}
    </li>
  )
}

function EndOthers({ count }: { count: number }) {
  const [isAsked, setAsked] = useState(false)
  const end = useEndOtherSessions()
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        End all other sessions
      </Button>
      {isAsked && (
        <ConfirmDanger
          title="End all other sessions?"
          action={`End ${counted(count, 'session')}`}
          act={async () => {
            const { ended } = await end.mutateAsync()
            say(`${counted(ended, 'session')} ended.`)
          }}
          close={() => setAsked(false)}
        >
          Whoever uses them must sign in again. This browser stays signed in.
        </ConfirmDanger>
      )}
    </>
  )
}
