/** Menu with the actions of a member. */
import { Menu } from '@mantine/core'
import { IconCrown, IconKey, IconUserCog, IconUserMinus } from '@tabler/icons-react'
import { type LoadedMenuProps, OpeningMenu } from '../../../ui/layout/opening-menu.tsx'
import { useAccess } from '../../auth/use-access.ts'
import type { MemberRequest } from './member-dialogs.tsx'

interface MemberMenuProps extends LoadedMenuProps {
  /** Opens a dialog. */
  input: (kind: MemberRequest['kind']) => void
}

export function MemberMenu({ input: open, ...button }: MemberMenuProps) {
  const { hasRole } = useAccess()
  return (
    <OpeningMenu {...button} position="bottom-end" width={220}>
      <Menu.Item leftSection={<IconUserCog size={16} />} onClick={() => open('change')}>
        Change role
      </Menu.Item>
      <Menu.Item leftSection={<IconKey size={16} />} onClick={() => open('secrets')}>
        View known secrets
      </Menu.Item>
      {hasRole('owner') && (
        <Menu.Item leftSection={<IconCrown size={16} />} onClick={() => open('transfer')}>
          Transfer ownership
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<IconUserMinus size={16} />} onClick={() => open('remove')}>
        Remove member
      </Menu.Item>
    </OpeningMenu>
  )
}
