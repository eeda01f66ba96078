/** What those who run the service need in order to find a request. */
import styles from './request-id.module.css'

export function RequestId({ id }: { id: string }) {
  return (
    <p className={styles.line}>
      Request id <code className={styles.id}>{id}</code>
    </p>
  )
}
