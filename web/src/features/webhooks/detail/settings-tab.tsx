/** Settings of a webhook, and its deletion. */
import { Button } from '@mantine/core'
import type { HookDetail } from '../../../api/types.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { useAccess } from '../../auth/use-access.ts'
import { WebhookSettings } from './webhook-settings.tsx'

export function SettingsTab({ detail, onDelete }: { detail: HookDetail; onDelete: () => void }) {
  const { hasRole } = useAccess()
  return (
    <>
      <WebhookSettings detail={detail} />
      {hasRole('developer') && (
        <Panel
          tone="danger"
          title="Delete webhook"
          description="Deliveries stop immediately. Past events stay available."
          actions={
            <Button color="red" variant="light" onClick={onDelete}>
              Delete webhook
            </Button>
          }
        />
      )}
    </>
  )
}
