/** Main navigation: a sidebar, or a tab bar on phones. */
import { IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import styles from './navigation.module.css'
import { MenuButton } from '../../ui/layout/menu-button.tsx'
import { useNavItems } from './use-nav-items.ts'

export function Navigation() {
  return (
    <ul className={styles.list}>
      {useNavItems().map(({ title, to, icon: Icon, isSecondary }) => (
        <li key={to} data-secondary={isSecondary}>
          <Link
            className={styles.navItem}
            to={to}
            activeOptions={{ exact: to === '/', includeSearch: false }}
          >
            <Icon className={styles.icon} size={18} stroke={1.6} aria-hidden="true" />
            {title}
          </Link>
        </li>
      ))}
      <li className={styles.more}>
        <MenuButton
          input={null}
          className={styles.navItem}
          load={async () => (await import('./more-menu.tsx')).MoreMenu}
        >
          <IconDots className={styles.icon} size={18} stroke={1.6} aria-hidden="true" />
          More
        </MenuButton>
      </li>
    </ul>
  )
}
