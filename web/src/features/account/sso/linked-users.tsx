/** Links between users of the provider and members. */
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { identitiesQuery, type Identity } from '../../../api/sso.ts'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { useShowMore } from '../../../ui/data/use-show-more.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import { useSession } from '../../auth/session-context.ts'
import { useAccess } from '../../auth/use-access.ts'
import account from '../account.module.css'
import styles from './sso.module.css'

/** Loaded on demand. */
const UnlinkIdentity = lazyPart(async () => (await import('./unlink-identity.tsx')).UnlinkIdentity)

const maxShown = 20

export function LinkedUsers() {
  const { data, isError, error, refetch } = useQuery(identitiesQuery)
  const { shown, showMore } = useShowMore(data ?? [], maxShown, 'users')
  if (data === undefined)
    return isError ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton height={69} radius="md" />
    )
  if (data.length === 0) return <p className={styles.muted}>Nobody has signed in with the provider yet.</p>
  return (
    <>
      <ul className={account.sessions}>
        {shown.map((identity) => (
          <LinkedUser key={identity.id} identity={identity} />
        ))}
      </ul>
      {showMore}
    </>
  )
}

function LinkedUser({ identity }: { identity: Identity }) {
  const { alias, email, subject, used_at: usedAt, is_self: isSelf } = identity
  const { hasRole } = useAccess()
  const { sso } = useSession()
  const [isOpen, setOpen] = useState(false)
  return (
    <li className={account.session}>
      <div className={account.sessionText}>
        <p className={account.name}>
          <bdi>{alias}</bdi>
        </p>
        <p className={styles.muted}>
          <bdi>{email ?? subject}</bdi> · last used <RelativeTime at={usedAt} />
        </p>
      </div>
      {sso === null && (isSelf || hasRole('owner')) && (
        <Button variant="default" size="xs" aria-label={`Unlink ${alias}`} onClick={() => setOpen(true)}>
          Unlink
        </Button>
      )}
      <Suspense>{isOpen && <UnlinkIdentity identity={identity} close={() => setOpen(false)} />}</Suspense>
    </li>
  )
}
