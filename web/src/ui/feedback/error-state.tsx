/** Error in place of content, with a retry button. */
import { Button } from '@mantine/core'
import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import { describeError } from '../../messages/errors.ts'
import { RequestId } from './request-id.tsx'
import styles from '../layout/state-page.module.css'

export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, hint, requestId } = describeError(error, false)
  return (
    <div className={styles.state} role="alert">
      <IconCloudOff className={styles.icon} size={28} stroke={1.5} aria-hidden="true" />
      <p className={styles.title}>{title}</p>
      {hint !== '' && <p className={styles.text}>{hint}</p>}
      {requestId !== undefined && <RequestId id={requestId} />}
      {retry !== undefined && (
        <Button
          className={styles.action}
          variant="default"
          leftSection={<IconRefresh size={16} />}
          onClick={retry}
        >
          Retry
        </Button>
      )}
    </div>
  )
}
