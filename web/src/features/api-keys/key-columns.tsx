/** Table columns of API keys. */
import { type Key, stateOf } from '../../api/api-keys.ts'
import type { Column } from '../../ui/data/data-table.tsx'
import { ScopeList } from '../auth/scope-list.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import { formatAuthMethod } from '../../messages/auth-methods.ts'
import { KeyActions } from './key-actions.tsx'
import styles from './keys.module.css'

export const keyColumns: readonly Column<Key>[] = [
  {
    title: 'Name',
    kind: 'main',
    cell: ({ name, prefix }) => (
      <>
        <p className={styles.name}>
          <bdi>{name}</bdi>
        </p>
        <code className={styles.prefix}>{prefix}…</code>
      </>
    ),
  },
  {
    title: 'State',
    cell: (key) => (
      <div className={styles.state}>
        <KeyState apiKey={key} />
      </div>
    ),
  },
  {
    title: 'Scopes',
    cell: ({ scopes, allowed_ips: ips, signed_calls_required: isSigned }) => (
      <>
        <ScopeList scopes={scopes} />
        {ips !== null && ips.length > 0 && (
          <p className={styles.muted}>
            only from {ips.slice(0, 3).join(', ')}
            {ips.length > 3 && ` and ${ips.length - 3} more`}
          </p>
        )}
        {isSigned && <p className={styles.muted}>signed calls only</p>}
      </>
    ),
  },
  {
    title: 'Last used',
    cell: ({ last_used_at: at, last_used_method: method }) =>
      at === null ? (
        <span className={styles.muted}>Never</span>
      ) : (
        <>
          <RelativeTime at={at} />
          {method !== null && <p className={styles.muted}>{formatAuthMethod(method)}</p>}
        </>
      ),
  },
  { title: 'Created', cell: ({ created_at: at }) => <RelativeTime at={at} /> },
  { title: 'Actions', kind: 'actions', cell: (key) => <KeyActions apiKey={key} /> },
]

function KeyState({ apiKey: key }: { apiKey: Key }) {
  const state = stateOf(key)
  if (state === 'revoked')
    return (
      <>
        <StateBadge tone="neutral" label="Revoked" />
        <p className={styles.muted}>
          <RelativeTime at={key.revoked_at ?? ''} />
        </p>
      </>
    )
  if (state === 'expired')
    return (
      <>
        <StateBadge tone="danger" label="Expired" />
        <p className={styles.muted}>
          <RelativeTime at={key.expires_at ?? ''} />
        </p>
      </>
    )
  return (
    <>
      <StateBadge tone="success" label="Active" />
      {key.expires_at !== null && (
        <p className={styles.muted}>
          expires <RelativeTime at={key.expires_at} />
        </p>
      )}
    </>
  )
}
