/** Menu of the bell: the newest notices. Opening it marks them as seen. */
import { Menu, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Notice, noticesQuery, useMarkSeen } from '../../api/notices.ts'
import { describeError } from '../../messages/errors.ts'
import { type LoadedMenuProps, OpeningMenu } from '../../ui/layout/opening-menu.tsx'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import styles from './menu.module.css'

const shown = 5

export function NoticesMenu(button: LoadedMenuProps) {
  const notices = useQuery({ ...noticesQuery(undefined, shown), staleTime: 0 })
  const newest = notices.data?.notices[0]?.id
  const { mutate: markSeen } = useMarkSeen()
  useEffect(() => {
    if (newest !== undefined) markSeen(newest)
  }, [newest, markSeen])
  return (
    <OpeningMenu {...button} position="bottom-end" width={288}>
      {notices.data === undefined && (
        <div className={styles.who}>
          {notices.error === null ? (
            <Skeleton height={48} />
          ) : (
            <p className={styles.more}>{describeError(notices.error, false).title}</p>
          )}
        </div>
      )}
      {notices.data?.notices.length === 0 && (
        <div className={styles.who}>
          <p className={styles.more}>No notices</p>
        </div>
      )}
      {notices.data?.notices.map((notice) => (
        <Item key={notice.id} notice={notice} />
      ))}
      <Menu.Divider />
      <Menu.Item component={Link} to="/notices">
        View all notices
      </Menu.Item>
      <Menu.Item component={Link} to="/account/notices">
        Notice settings
      </Menu.Item>
    </OpeningMenu>
  )
}

/** Opens what the notice is about. */
function Item({ notice: { title, webhook, created_at: at } }: { notice: Notice }) {
  return (
    <Menu.Item component={Link} to={webhook === null ? '/notices' : `/webhooks/${webhook.id}`}>
      <span className={styles.accountName}>{title}</span>
      <span className={styles.accountRole}>
        <RelativeTime at={at} />
      </span>
    </Menu.Item>
  )
}
