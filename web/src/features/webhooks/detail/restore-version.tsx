/** Shows what restoring a version changes, and restores it. */
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { HookVersion } from '../../../api/types.ts'
import { useRestoreVersion, webhookVersionQuery } from '../../../api/webhooks.ts'
import { formatMinute } from '../../../lib/format-clock.ts'
import dialog from '../../../ui/feedback/dialog.module.css'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { FieldChanges } from './field-changes.tsx'

interface RestoreVersionProps {
  hookId: number
  version: HookVersion
  close: () => void
}

export function RestoreVersion({ hookId, version, close }: RestoreVersionProps) {
  const { data, error } = useQuery(webhookVersionQuery(hookId, version.version))
  const restore = useRestoreVersion(hookId)
  const hasChanges = data !== undefined && data.changes.length > 0
  return (
    <Dialog
      title={`Restore version of ${formatMinute(new Date(version.at))}`}
      close={close}
      isBusy={restore.isPending}
      size="lg"
    >
      <div className={dialog.body}>
        {data === undefined && error === null && <Skeleton height={80} />}
        {data?.problem != null && <Notice tone="danger" title={data.problem.message} />}
        {data !== undefined && !hasChanges && <p>The current settings equal this version.</p>}
        {hasChanges && (
          <>
            <FieldChanges changes={data.changes} />
            <p>
              Applies to every later attempt, including pending deliveries. The state (enabled or disabled)
              and the signing secret stay.
            </p>
          </>
        )}
        <ErrorNotice error={error ?? restore.error} isChange={error === null} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={restore.isPending}>
            Cancel
          </Button>
          <Button
            disabled={!hasChanges || data.problem !== null}
            loading={restore.isPending}
            onClick={() =>
              data !== undefined &&
              restore.mutate(data, {
                onSuccess() {
                  toast('Version restored')
                  close()
                },
              })
            }
          >
            Restore version
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
