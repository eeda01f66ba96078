/** The places of the area: a list beside the page, a bar below it on phones. */
import { Link } from '@tanstack/react-router'
import styles from './navigation.module.css'
import { places } from './places.ts'

export function Navigation() {
  return (
    <ul className={styles.list}>
      {places.map(({ title, to, icon: Icon }) => (
        <li key={to}>
          <Link className={styles.place} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
            <Icon className={styles.icon} size={18} stroke={1.6} aria-hidden="true" />
            {title}
          </Link>
        </li>
      ))}
    </ul>
  )
}
