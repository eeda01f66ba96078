/** Columns of the member table. */
import type { Access } from '../../../api/access.ts'
import type { Member } from '../../../api/members.ts'
import { describeRights, roleText } from '../../../messages/roles.ts'
import type { Column } from '../../../ui/data/data-table.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import { MemberActions } from './member-actions.tsx'
import type { MemberRequest } from './member-dialogs.tsx'
import styles from './members.module.css'

const columns: readonly Column<Member>[] = [
  {
    title: 'Member',
    kind: 'main',
    cell: ({ alias, email, is_self: isSelf }) => (
      <>
        <p className={styles.name}>
          <bdi>{alias}</bdi> {isSelf && <Tag>You</Tag>}
        </p>
        <p className={styles.muted}>
          <bdi>{email ?? 'No email'}</bdi>
        </p>
      </>
    ),
  },
  {
    title: 'Role',
    cell: ({ role }) => <span title={roleText[role].description}>{roleText[role].label}</span>,
  },
  { title: 'Rights', cell: describeRights },
  {
    title: 'Two-factor',
    cell: ({ second_factor: isOn }) =>
      isOn ? <StateBadge tone="success" label="On" /> : <StateBadge tone="neutral" label="Off" />,
  },
  { title: 'Last sign-in', cell: ({ used_at: at }) => <RelativeTime at={at} /> },
]

/** Without actions for members who manage none. */
export function memberColumns(
  { hasRole }: Access,
  open: (request: MemberRequest) => void,
): readonly Column<Member>[] {
  if (!hasRole('admin')) return columns
  const actions = (member: Member) => <MemberActions member={member} open={open} />
  return [...columns, { title: 'Actions', kind: 'actions', cell: actions }]
}
