/** Whether members enter the account only with single sign-on, and which owners are excepted. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { membersQuery } from '../../../api/members.ts'
import type { Connection } from '../../../api/sso.ts'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useMayChangeSso } from './use-may-change-sso.ts'

/** Loaded on demand. */
const RequireDialog = lazyPart(async () => (await import('./requirement-dialogs.tsx')).RequireDialog)
const LiftDialog = lazyPart(async () => (await import('./requirement-dialogs.tsx')).LiftDialog)

interface RequirementProps {
  connection: Connection
  breakGlassIds: readonly number[]
}

export function Requirement({ connection, breakGlassIds }: RequirementProps) {
  const mayChange = useMayChangeSso()
  const members = useQuery(membersQuery).data ?? []
  const [open, setOpen] = useState<'require' | 'lift'>()
  const close = () => setOpen(undefined)
  const { is_required: isRequired } = connection
  const names = members.filter(({ login_id: id }) => breakGlassIds.includes(id)).map(({ alias }) => alias)
  return (
    <>
      {isRequired ? (
        <Notice
          tone="success"
          title="Required"
          {...(mayChange && {
            actions: (
              <>
                <Button variant="default" size="xs" onClick={() => setOpen('require')}>
                  Change break-glass owners
                </Button>
                <Button variant="default" size="xs" onClick={() => setOpen('lift')}>
                  Make optional
                </Button>
              </>
            ),
          })}
        >
          Break-glass owners, who can sign in without the provider: <bdi>{names.join(', ')}</bdi>
        </Notice>
      ) : (
        <Notice
          tone="neutral"
          title="Optional"
          {...(mayChange && {
            actions: (
              <Button variant="default" size="xs" onClick={() => setOpen('require')}>
                Require single sign-on
              </Button>
            ),
          })}
        >
          Members can also sign in with their passwords.
        </Notice>
      )}
      <Suspense>
        {open === 'require' && (
          <RequireDialog
            connection={connection}
            members={members}
            breakGlassIds={breakGlassIds}
            close={close}
          />
        )}
        {open === 'lift' && <LiftDialog close={close} />}
      </Suspense>
    </>
  )
}
