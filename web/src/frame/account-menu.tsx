/** Who is signed in, and the way out. */
import { ActionIcon, Menu } from '@mantine/core'
import { IconBook, IconHistory, IconLogout, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSignOut } from '../api/sign-in.ts'
import { say } from '../parts/say.ts'
import { failureWords } from '../words/failure.ts'
import styles from './menu.module.css'
import { useSession } from './session-context.ts'

export function AccountMenu() {
  const { login, account } = useSession()
  const signOut = useSignOut()
  const leave = () =>
    signOut.mutate(undefined, { onError: (error) => say(failureWords(error, true).title, 'bad') })
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Account menu of ${login.alias}`}>
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
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
