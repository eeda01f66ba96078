/** Shown in place of a page while the service cannot be reached. */
import { Button } from '@mantine/core'
import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { hasOutage, retryNow, subscribeToConnection } from '../lib/connection.ts'
import styles from '../ui/layout/state-page.module.css'

export function useOutage(): boolean {
  return useSyncExternalStore(subscribeToConnection, hasOutage)
}

export function Unreachable() {
  return (
    <div className={styles.state} role="status">
      <IconCloudOff className={styles.icon} size={28} stroke={1.5} aria-hidden="true" />
      <p className={styles.title}>Hookline is unreachable</p>
      <p className={styles.text}>The page appears as soon as the service responds. Retrying…</p>
      <Button
        className={styles.action}
        variant="default"
        leftSection={<IconRefresh size={16} />}
        onClick={retryNow}
      >
        Retry now
      </Button>
    </div>
  )
}
