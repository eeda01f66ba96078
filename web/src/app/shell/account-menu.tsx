/** Account menu with the signed-in user and sign-out. */
import { ActionIcon, Menu } from '@mantine/core'
import { IconBook, IconHistory, IconLogout, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSignOut } from '../../api/auth.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { describeError } from '../../messages/errors.ts'
import styles from './menu.module.css'
import { useSession } from '../../features/auth/session-context.ts'

export function AccountMenu() {
  const { login, account } = useSession()
  const signOut = useSignOut()
  const handleSignOut = () =>
    signOut.mutate(undefined, { onError: (error) => toast(describeError(error, true).title, 'danger') })
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Account menu for ${login.alias}`}>
          <span className={styles.initial} aria-hidden="true">
            {login.alias.slice(0, 1).toUpperCase()}
          </span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.who}>
          <p className={styles.name}>
            <bdi>{login.alias}</bdi>
          </p>
          <p className={styles.more}>
            <bdi>{account.name}</bdi>
          </p>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} stroke={1.6} />}>
          Account and security
        </Menu.Item>
        <Menu.Item component={Link} to="/account/audit" leftSection={<IconHistory size={16} stroke={1.6} />}>
          Audit log
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} stroke={1.6} />}>
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={handleSignOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
