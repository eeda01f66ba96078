/** In place of a page that needs a higher role: the role, the own one, and the members who can change it. */
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { Role } from '../../api/client.ts'
import { membersQuery } from '../../api/members.ts'
import { roleText } from '../../messages/roles.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { useAccess } from './use-access.ts'

/** An account has up to 200 members. */
const maxNamed = 5

export function RoleNeeded({ needed, title }: { needed: Role; title: string | undefined }) {
  const { role } = useAccess()
  const members = useQuery(membersQuery).data ?? []
  const admins = members.filter((member) => member.role === 'admin' || member.role === 'owner')
  return (
    <>
      {title !== undefined && <PageHeader title={title} />}
      <Panel>
        <EmptyState
          icon={<IconLock size={28} stroke={1.5} />}
          title={`Requires the ${roleText[needed].label} role`}
          action={
            <ButtonLink to="/" variant="default">
              View overview
            </ButtonLink>
          }
        >
          Your role in this account is {roleText[role].label}.{' '}
          {admins.length === 0 ? (
            'An admin of the account can change it.'
          ) : (
            <>
              {admins.slice(0, maxNamed).map(({ login_id: id, alias }, index) => (
                <Fragment key={id}>
                  {index > 0 && ', '}
                  <strong>
                    <bdi>{alias}</bdi>
                  </strong>
                </Fragment>
              ))}{' '}
              can change it.
            </>
          )}
        </EmptyState>
      </Panel>
    </>
  )
}
