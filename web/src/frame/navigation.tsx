/** The places of the area: a list beside the page, a bar below it on phones. */
import { Menu } from '@mantine/core'
import { IconBook, IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import styles from './navigation.module.css'
import { places } from './places.ts'

export function Navigation() {
  return (
    <ul className={styles.list}>
      {places.map(({ title, to, icon: Icon, isSecondary }) => (
        <li key={to} data-secondary={isSecondary}>
          <Link className={styles.place} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
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

/** On phones, where there is no room for all. */
function More() {
  return (
    <Menu position="top-end" width={200}>
      <Menu.Target>
        <button className={styles.place} type="button">
          <IconDots className={styles.icon} size={18} stroke={1.6} aria-hidden="true" />
          More
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {places
          .filter(({ isSecondary }) => isSecondary)
          .map(({ title, to, icon: Icon }) => (
            <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={16} stroke={1.6} />}>
              {title}
            </Menu.Item>
          ))}
        <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} stroke={1.6} />}>
          API reference
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
