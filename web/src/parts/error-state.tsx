/** What stands where content should be: what happened, what we kept, what to do. */
import { Button } from '@mantine/core'
import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import { failureWords } from '../words/failure.ts'
import { RequestId } from './request-id.tsx'
import styles from './state-page.module.css'

export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, advice, requestId } = failureWords(error, false)
  return (
    <div className={styles.state} role="alert">
      <IconCloudOff className={styles.icon} size={28} stroke={1.5} aria-hidden="true" />
      <p className={styles.title}>{title}</p>
      {advice !== '' && <p className={styles.words}>{advice}</p>}
      {requestId !== undefined && <RequestId id={requestId} />}
      {retry !== undefined && (
        <Button
          className={styles.action}
          variant="default"
          leftSection={<IconRefresh size={16} />}
          onClick={retry}
        >
          Try again
        </Button>
      )}
    </div>
  )
}
