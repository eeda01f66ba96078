/** Leads back to the newest event after the user has scrolled away. The visible rows stay in place meanwhile. */
import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import styles from './live.module.css'

const followingBelowPx = 200

export function FollowButton({ newest }: { newest: string | undefined }) {
  const [isFollowing, setFollowing] = useState(true)
  const [lastSeen, setLastSeen] = useState(newest)
  useEffect(() => {
    const update = () => setFollowing(scrollY < followingBelowPx)
    addEventListener('scroll', update, { passive: true })
    return () => removeEventListener('scroll', update)
  }, [])
  if (isFollowing && lastSeen !== newest) setLastSeen(newest)
  if (isFollowing || lastSeen === newest) return null
  return (
    <div className={styles.follow}>
      <Button
        size="xs"
        radius="xl"
        leftSection={<IconArrowUp size={14} />}
        onClick={() => scrollTo({ top: 0 })}
      >
        Follow new events
      </Button>
    </div>
  )
}
