/** Whether new users join by signing in, and with which role and rights. */
import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Connection, SsoDomain } from '../../../api/sso.ts'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { describeRights, roleText } from '../../../messages/roles.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useMayChangeSso } from './use-may-change-sso.ts'

/** Loaded on demand. */
const JoiningDialog = lazyPart(async () => (await import('./joining-dialog.tsx')).JoiningDialog)

interface JoiningProps {
  connection: Connection
  domains: readonly SsoDomain[]
}

export function Joining({ connection, domains }: JoiningProps) {
  const mayChange = useMayChangeSso()
  const [isOpen, setOpen] = useState(false)
  const { default_role: role } = connection
  const hasDomain = domains.some(({ verified_at: at }) => at !== null)
  return (
    <>
      <Notice
        tone={role === null ? 'neutral' : hasDomain ? 'success' : 'warning'}
        title={role === null ? 'By invitation only' : `New users join as ${roleText[role].label}`}
        {...(mayChange && {
          actions: (
            <Button variant="default" size="xs" onClick={() => setOpen(true)}>
              Change new members
            </Button>
          ),
        })}
      >
        {role === null && 'Users who are not members cannot sign in.'}
        {role !== null && hasDomain && `Rights: ${describeRights(connection)}`}
        {role !== null && !hasDomain && 'Nobody can join until a domain is verified.'}
      </Notice>
      <Suspense>{isOpen && <JoiningDialog connection={connection} close={() => setOpen(false)} />}</Suspense>
    </>
  )
}
