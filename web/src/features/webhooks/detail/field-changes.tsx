/** Lists changed settings with their old and new values. Names of headers only. */
import type { FieldChange } from '../../../api/types.ts'
import { webhookFieldTitle } from '../../../messages/webhook-fields.ts'
import {
  describeTypeChange,
  formatFieldValue,
  isHeaderValueChange,
} from '../../../messages/webhook-versions.ts'
import styles from './history.module.css'

export function FieldChanges({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return null
  return (
    <dl className={styles.changes}>
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{webhookFieldTitle(change.field)}</dt>
          <dd>
            <Change change={change} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Change({ change }: { change: FieldChange }) {
  const { field, from, to } = change
  if (isHeaderValueChange(change))
    return (
      <>
        Values changed: <bdi className={styles.value}>{formatFieldValue(field, to)}</bdi>
      </>
    )
  if (field === 'event_types') {
    const { removed, added } = describeTypeChange(change)
    return (
      <>
        {removed !== '' && <del className={styles.value}>{removed}</del>}{' '}
        {added !== '' && <ins className={styles.value}>{added}</ins>}
      </>
    )
  }
  return (
    <>
      <del className={styles.value}>{formatFieldValue(field, from)}</del>
      <span className={styles.arrow}>
        <span aria-hidden="true">→</span>
        <span className={styles.visuallyHidden}>changed to</span>
      </span>
      <ins className={styles.value}>{formatFieldValue(field, to)}</ins>
    </>
  )
}

/** Lists the settings of a first version. */
export function FirstSettings({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <dl className={styles.changes}>
      {changes.map(({ field, to }) => (
        <div key={field}>
          <dt>{webhookFieldTitle(field)}</dt>
          <dd>
            <bdi className={styles.value}>{formatFieldValue(field, to)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
