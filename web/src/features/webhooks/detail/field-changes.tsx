/** Lists changed settings with their old and new values. Names of headers only. */
import type { FieldChange } from '../../../api/types.ts'
import { webhookFieldTitle } from '../../../messages/webhook-fields.ts'
import { formatFieldValue, isHeaderValueChange } from '../../../messages/webhook-versions.ts'
import styles from './history.module.css'

export function FieldChanges({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return null
  return (
    <dl className={styles.changes}>
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{webhookFieldTitle(change.field)}</dt>
          <dd>
            {isHeaderValueChange(change) ? (
              <>
                Values changed:{' '}
                <bdi className={styles.value}>{formatFieldValue(change.field, change.to)}</bdi>
              </>
            ) : (
              <>
                <del className={styles.value}>{formatFieldValue(change.field, change.from)}</del>
                <span className={styles.arrow}>
                  <span aria-hidden="true">→</span>
                  <span className={styles.visuallyHidden}>changed to</span>
                </span>
                <ins className={styles.value}>{formatFieldValue(change.field, change.to)}</ins>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
