/** Request ID, for reports to the operator. */
import styles from './request-id.module.css'

export function RequestId({ id }: { id: string }) {
  return (
    <p className={styles.line}>
      Request ID <code className={styles.id}>{id}</code>
    </p>
  )
}
