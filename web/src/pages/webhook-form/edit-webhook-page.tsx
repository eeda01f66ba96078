/** A webhook changed. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Hook } from '../../api/shapes.ts'
import { hookQuery, useChangeHook } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { say } from '../../parts/say.ts'
import { formOf, limitOf, wireOf } from './form-values.ts'
import { WebhookForm } from './webhook-form.tsx'
import styles from './webhook-form.module.css'

const route = getRouteApi('/area/webhooks/$id/edit')

export function EditWebhookPage() {
  const { id } = route.useParams()
  // What somebody types is not changed under their hands.
  const story = useQuery({ ...hookQuery(Number(id)), refetchInterval: false })
  return (
    <>
      <TextLink to="/webhooks/$id" params={{ id }} className={styles.back}>
        ← Webhook {id}
      </TextLink>
      <PageHeader
        title={`Edit webhook ${id}`}
        about="What you save counts for every attempt from then on, also for deliveries that wait."
      />
      {story.data?.health.state === 'unloadable' && (
        <Notice tone="bad" title={story.data.health.sentence}>
          Values that cannot be read are shown as empty.
        </Notice>
      )}
      {story.data !== undefined && <Edit hook={story.data.hook} />}
      {story.data === undefined && story.isPending && <Skeleton height={420} />}
      {story.data === undefined && story.isError && (
        <Panel>
          <ErrorState error={story.error} retry={() => void story.refetch()} />
        </Panel>
      )}
    </>
  )
}

function Edit({ hook }: { hook: Hook }) {
  const navigate = route.useNavigate()
  const change = useChangeHook(hook.id)
  const params = { id: String(hook.id) }
  return (
    <WebhookForm
      initial={formOf(hook)}
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
        change.mutate(
          { ...wireOf(values), most_per_second: limitOf(values) },
          {
            onSuccess() {
              say(`Webhook ${hook.id} is changed.`)
              void navigate({ to: '/webhooks/$id', params, state: thenTest ? { isToBeTested: true } : {} })
            },
          },
        )
      }
    />
  )
}
