/** Main navigation: a sidebar, or a tab bar on phones. */
import { Menu } from '@mantine/core'
import { IconBook, IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import styles from './navigation.module.css'
import { navItems } from './nav-items.ts'

export function Navigation() {
  return (
    <ul className={styles.list}>
      {navItems.map(({ title, to, icon: Icon, isSecondary }) => (
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
        <More />
      </li>
    </ul>
  )
}

/** Secondary pages on phones. */
function More() {
  return (
    <Menu position="top-end" width={200}>
      <Menu.Target>
        <button className={styles.navItem} type="button">
          <IconDots className={styles.icon} size={18} stroke={1.6} aria-hidden="true" />
          More
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {navItems
          .filter(({ isSecondary }) => isSecondary)
          .map(({ title, to, icon: Icon }) => (
            <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={16} stroke={1.6} />}>
              {title}
            </Menu.Item>
          ))}
        <Menu.Item component={Link} to="/guides" leftSection={<IconBook size={16} stroke={1.6} />}>
          Guides
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} stroke={1.6} />}>
          API reference
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
