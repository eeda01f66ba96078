/** Secondary pages on phones. */
import { Menu } from '@mantine/core'
import { IconBook } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type LoadedMenuProps, OpeningMenu } from '../../ui/layout/opening-menu.tsx'
import { useNavItems } from './use-nav-items.ts'

export function MoreMenu(button: LoadedMenuProps) {
  return (
    <OpeningMenu {...button} position="top-end" width={200}>
      {useNavItems()
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
    </OpeningMenu>
  )
}
