/** Removes the connection to the identity provider. */
import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Connection } from '../../../api/sso.ts'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { useMayChangeSso } from './use-may-change-sso.ts'

/** Loaded on demand. */
const RemoveSsoDialog = lazyPart(async () => (await import('./remove-sso-dialog.tsx')).RemoveSsoDialog)

export function RemoveSso({ connection }: { connection: Connection }) {
  const [isOpen, setOpen] = useState(false)
  if (!useMayChangeSso()) return null
  return (
    <>
      <Panel
        tone="danger"
        title="Remove single sign-on"
        description="Members sign in with their passwords again. Domains stay."
        actions={
          <Button color="red" variant="light" onClick={() => setOpen(true)}>
            Remove single sign-on
          </Button>
        }
      />
      <Suspense>
        {isOpen && <RemoveSsoDialog connection={connection} close={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
