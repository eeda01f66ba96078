/** Guides a new account to its first delivered event. Loaded after the page, which shows alerts first. */
import { IconWebhook } from '@tabler/icons-react'
import { Suspense } from 'react'
import { lazyOptional } from '../../lib/lazy-optional.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { useAccess } from '../auth/use-access.ts'

const FirstSteps = lazyOptional(async () => (await import('../onboarding/first-steps.tsx')).FirstSteps)

export function NextSteps({ isNew }: { isNew: boolean }) {
  if (useAccess().hasRole('developer'))
    return (
      <Suspense>
        <FirstSteps />
      </Suspense>
    )
  return isNew ? (
    <Panel>
      <EmptyState icon={<IconWebhook size={28} stroke={1.5} />} title="No webhooks yet">
        Once a developer of the account creates a webhook, its deliveries appear here.
      </EmptyState>
    </Panel>
  ) : null
}
