/** Edits a webhook. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Hook } from '../../../api/types.ts'
import { webhookQuery, useChangeWebhook } from '../../../api/webhooks.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { ButtonLink, TextLink } from '../../../ui/layout/links.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { describeProblem } from '../../../messages/deliveries.ts'
import { webhookName } from '../../../messages/webhook-name.ts'
import { toFormValues, toApiInput } from './form-values.ts'
import { WebhookForm } from './webhook-form.tsx'
import styles from './webhook-form.module.css'

const route = getRouteApi('/app/webhooks/$id/edit')

export function EditWebhookPage() {
  const { id } = route.useParams()
  // Refetching would overwrite what the user types.
  const detail = useQuery({ ...webhookQuery(Number(id)), refetchInterval: false })
  return (
    <>
      <TextLink to="/webhooks/$id" params={{ id }} className={styles.back}>
        ← {detail.data === undefined ? 'Webhook' : webhookName(detail.data.hook)}
      </TextLink>
      <PageHeader
        title={detail.data === undefined ? 'Edit webhook' : `Edit ${webhookName(detail.data.hook)}`}
        description="Changes apply to every later attempt, including pending deliveries"
      />
      {detail.data?.health.problem != null && (
        <Notice tone="danger" title={describeProblem(detail.data.health.problem)}>
          Unreadable values are shown as empty.
        </Notice>
      )}
      {detail.data !== undefined && <Edit hook={detail.data.hook} />}
      {detail.data === undefined && detail.isPending && <Skeleton height={420} />}
      {detail.data === undefined && detail.isError && (
        <Panel>
          <ErrorState error={detail.error} retry={() => void detail.refetch()} />
        </Panel>
      )}
    </>
  )
}

function Edit({ hook }: { hook: Hook }) {
  const navigate = route.useNavigate()
  const change = useChangeWebhook(hook.id)
  const params = { id: String(hook.id) }
  return (
    <WebhookForm
      initial={toFormValues(hook)}
      hookId={hook.id}
      action="Save"
      isBusy={change.isPending}
      error={change.error}
      cancel={
        <ButtonLink to="/webhooks/$id" params={params} variant="subtle" color="gray">
          Cancel
        </ButtonLink>
      }
      save={(values, thenTest) =>
        change.mutate(toApiInput(values), {
          onSuccess({ hook: saved }) {
            toast(`${webhookName(saved)} saved`)
            void navigate({ to: '/webhooks/$id', params, state: thenTest ? { shouldSendTest: true } : {} })
          },
        })
      }
    />
  )
}
