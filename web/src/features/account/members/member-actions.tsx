/** Button with the actions of a member, for members who may manage this one. */
import { IconDots } from '@tabler/icons-react'
import type { Member } from '../../../api/members.ts'
import { MenuButton } from '../../../ui/layout/menu-button.tsx'
import menuButton from '../../../ui/layout/menu-button.module.css'
import { useAccess } from '../../auth/use-access.ts'
import type { MemberRequest } from './member-dialogs.tsx'

interface MemberActionsProps {
  member: Member
  open: (request: MemberRequest) => void
}

export function MemberActions({ member, open }: MemberActionsProps) {
  const { mayManage } = useAccess()
  if (member.is_self || !mayManage(member.role)) return null
  return (
    <MenuButton
      className={menuButton.icon}
      label={`Actions for ${member.alias}`}
      load={async () => (await import('./member-menu.tsx')).MemberMenu}
      input={(kind: MemberRequest['kind']) => open({ kind, member })}
    >
      <IconDots size={18} aria-hidden="true" />
    </MenuButton>
  )
}
