/** Link of the own login to a user of the account's identity provider. */
import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Identity } from '../../../api/sso.ts'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import { useSession } from '../../auth/session-context.ts'

/** Loaded on demand. */
const LinkIdentity = lazyPart(async () => (await import('./link-identity.tsx')).LinkIdentity)
const UnlinkIdentity = lazyPart(async () => (await import('./unlink-identity.tsx')).UnlinkIdentity)

export function OwnIdentity({ identity }: { identity: Identity | undefined }) {
  const { sso } = useSession()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      {identity === undefined ? (
        <Notice
          tone="neutral"
          title="Not linked"
          actions={
            <Button size="xs" onClick={() => setOpen(true)}>
              Link login
            </Button>
          }
        >
          You sign in to this account with your password.
        </Notice>
      ) : (
        <Notice
          tone="success"
          title="Linked"
          {...(sso === null && {
            actions: (
              <Button variant="default" size="xs" onClick={() => setOpen(true)}>
                Unlink
              </Button>
            ),
          })}
        >
          <bdi>{identity.email ?? identity.subject}</bdi> · last used <RelativeTime at={identity.used_at} />
        </Notice>
      )}
      <Suspense>
        {isOpen && identity === undefined && <LinkIdentity close={close} />}
        {isOpen && identity !== undefined && <UnlinkIdentity identity={identity} close={close} />}
      </Suspense>
    </>
  )
}
