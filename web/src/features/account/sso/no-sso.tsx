/** Empty state of single sign-on: what it gives, and what is needed. */
import { Button } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { Mono } from '../../../ui/data/mono.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { useMayChangeSso } from './use-may-change-sso.ts'

/** Loaded on demand. */
const ProviderDialog = lazyPart(async () => (await import('./provider-dialog.tsx')).ProviderDialog)

export function NoSso({ redirectUri }: { redirectUri: string }) {
  const mayChange = useMayChangeSso()
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel>
      <EmptyState
        icon={<IconShieldLock size={28} stroke={1.5} />}
        title="No identity provider yet"
        steps={[
          {
            id: 'register',
            content: (
              <>
                <p>Register a web app at your provider, with this redirect URI:</p>
                <Mono text={redirectUri} label="redirect URI" />
              </>
            ),
          },
          { id: 'enter', content: 'Enter issuer, client ID and client secret of the app here.' },
          {
            id: 'link',
            content: 'Link your login on the page “Profile and security”, which tests the sign-in.',
          },
          { id: 'verify', content: 'Verify your email domain with a DNS record.' },
        ]}
        {...(mayChange && {
          action: <Button onClick={() => setOpen(true)}>Set up single sign-on</Button>,
        })}
      >
        Members sign in with Entra, Okta, Google, Keycloak or another OpenID Connect provider. Users who leave
        your organization can no longer sign in with it. Passwords continue to work until you require single
        sign-on.
      </EmptyState>
      <Suspense>
        {isOpen && (
          <ProviderDialog connection={null} redirectUri={redirectUri} close={() => setOpen(false)} />
        )}
      </Suspense>
    </Panel>
  )
}
