/** Account menu with the signed-in user, the other accounts, and sign-out. */
import { Menu } from '@mantine/core'
import { IconBook, IconHistory, IconLogout, IconUser, IconUsers } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useSignOut, useSwitchAccount } from '../../api/auth.ts'
import { isErrorCode, requiredConnection, type Session } from '../../api/client.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { describeError } from '../../messages/errors.ts'
import { roleText } from '../../messages/roles.ts'
import { useSession } from '../../features/auth/session-context.ts'
import { useAccess } from '../../features/auth/use-access.ts'
import { type LoadedMenuProps, OpeningMenu } from '../../ui/layout/opening-menu.tsx'
import { AccountSwitcher } from './account-switcher.tsx'
import styles from './menu.module.css'

export function AccountMenu(button: LoadedMenuProps) {
  const { login, account } = useSession()
  const { role, mayOpen } = useAccess()
  const navigate = useNavigate()
  const signOut = useSignOut()
  // Here, because the switcher closes with the click.
  const change = useSwitchAccount()
  const handleSignOut = () =>
    signOut.mutate(undefined, { onError: (error) => toast(describeError(error, true).title, 'danger') })
  const switchTo = ({ id, name }: Session['accounts'][number]) =>
    change.mutate(id, {
      onError(error) {
        if (isErrorCode(error, 'ssoRequired'))
          void navigate({ to: '/sign-in/sso', search: { connection: requiredConnection(error) } })
        else toast(`Failed to switch to ${name}: ${describeError(error, true).title}`, 'danger')
      },
    })
  return (
    <OpeningMenu {...button} position="bottom-end" width={260}>
      <div className={styles.who}>
        <p className={styles.name}>
          <bdi>{login.alias}</bdi>
        </p>
        <p className={styles.more}>
          {roleText[role].label} in <bdi>{account.name}</bdi>
        </p>
      </div>
      <AccountSwitcher choose={switchTo} />
      <Menu.Divider />
      <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} stroke={1.6} />}>
        Account and security
      </Menu.Item>
      <Menu.Item component={Link} to="/account/members" leftSection={<IconUsers size={16} stroke={1.6} />}>
        Members
      </Menu.Item>
      {mayOpen('/account/audit') && (
        <Menu.Item component={Link} to="/account/audit" leftSection={<IconHistory size={16} stroke={1.6} />}>
          Audit log
        </Menu.Item>
      )}
      <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} stroke={1.6} />}>
        API reference
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={handleSignOut}>
        Sign out
      </Menu.Item>
    </OpeningMenu>
  )
}
