/** Other accounts of the user, in the account menu. */
import { Menu } from '@mantine/core'
import type { Session } from '../../api/client.ts'
import { useSession } from '../../features/auth/session-context.ts'
import { roleText } from '../../messages/roles.ts'
import styles from './menu.module.css'

export function AccountSwitcher({ choose }: { choose: (account: Session['accounts'][number]) => void }) {
  const { account, accounts } = useSession()
  const others = accounts.filter(({ id }) => id !== account.id)
  if (others.length === 0) return null
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Switch account</Menu.Label>
      <div className={styles.accounts}>
        {others.map((other) => (
          <Menu.Item key={other.id} disabled={other.is_suspended} onClick={() => choose(other)}>
            <bdi className={styles.accountName}>{other.name}</bdi>
            <span className={styles.accountRole}>
              {other.is_suspended ? 'Suspended' : roleText[other.role].label}
            </span>
          </Menu.Item>
        ))}
      </div>
    </>
  )
}
