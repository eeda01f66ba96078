/** Bell in the top bar, with the number of unread notices. */
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { unreadNoticesQuery } from '../../api/notices.ts'
import { MenuButton } from '../../ui/layout/menu-button.tsx'
import menuButton from '../../ui/layout/menu-button.module.css'
import styles from './notices-bell.module.css'

const maxShown = 99

export function NoticesBell() {
  const unread = useQuery(unreadNoticesQuery).data ?? 0
  return (
    <MenuButton
      input={null}
      className={menuButton.icon}
      label={unread === 0 ? 'Notices' : `Notices, ${unread} unread`}
      load={async () => (await import('./notices-menu.tsx')).NoticesMenu}
    >
      <span className={styles.bell}>
        <IconBell size={18} stroke={1.6} aria-hidden="true" />
        {unread > 0 && (
          <span className={styles.count} aria-hidden="true">
            {unread > maxShown ? `${maxShown}+` : unread}
          </span>
        )}
      </span>
    </MenuButton>
  )
}
