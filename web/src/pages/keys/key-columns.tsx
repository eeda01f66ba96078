/** A key as a row. */
import { type Key, stateOf } from '../../api/keys.ts'
import type { Column } from '../../parts/data-table.tsx'
import { ScopeList } from '../../parts/scope-list.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { methodWords } from '../../words/methods.ts'
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
        <KeyState of={key} />
      </div>
    ),
  },
  {
    title: 'May',
    cell: ({ scopes, allowed_ips: ips }) => (
      <>
        <ScopeList scopes={scopes} />
        {ips !== null && ips.length > 0 && (
          <p className={styles.quiet}>
            only from {ips.slice(0, 3).join(', ')}
            {ips.length > 3 && ` and ${ips.length - 3} more`}
          </p>
        )}
      </>
    ),
  },
  {
    title: 'Last used',
    cell: ({ last_used_at: at, last_used_method: method }) =>
      at === null ? (
        <span className={styles.quiet}>Never</span>
      ) : (
        <>
          <Time at={at} />
          {method !== null && <p className={styles.quiet}>{methodWords(method)}</p>}
        </>
      ),
  },
  { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Actions', kind: 'actions', cell: (key) => <KeyActions of={key} /> },
]

function KeyState({ of: key }: { of: Key }) {
  const state = stateOf(key)
  if (state === 'revoked')
    return (
      <>
        <StateBadge tone="quiet" word="Revoked" />
        <p className={styles.quiet}>
          <Time at={key.revoked_at ?? ''} />
        </p>
      </>
    )
  if (state === 'expired')
    return (
      <>
        <StateBadge tone="bad" word="Expired" />
        <p className={styles.quiet}>
          <Time at={key.expires_at ?? ''} />
        </p>
      </>
    )
  return (
    <>
      <StateBadge tone="good" word="Active" />
      {key.expires_at !== null && (
        <p className={styles.quiet}>
          ends <Time at={key.expires_at} />
        </p>
      )}
    </>
  )
}
