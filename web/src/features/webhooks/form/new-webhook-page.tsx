/** Creates a webhook. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { testReceiverUrlQuery } from '../../../api/onboarding.ts'
import { useCreateWebhook } from '../../../api/webhooks.ts'
import { ButtonLink, TextLink } from '../../../ui/layout/links.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { webhookName } from '../../../messages/webhook-name.ts'
import { emptyForm, toApiInput, withDefaultName } from './form-values.ts'
import { WebhookForm } from './webhook-form.tsx'
import styles from './webhook-form.module.css'

const route = getRouteApi('/app/webhooks/new')

export function NewWebhookPage() {
  const navigate = route.useNavigate()
  const create = useCreateWebhook()
  const receiverUrl = useQuery(testReceiverUrlQuery).data
  return (
    <>
      <TextLink to="/webhooks" className={styles.back}>
        ← All webhooks
      </TextLink>
      <PageHeader title="New webhook" description="Choose events and preview the request" />
      <WebhookForm
        initial={emptyForm}
        action="Create"
        isBusy={create.isPending}
        error={create.error}
        cancel={
          <ButtonLink to="/webhooks" variant="subtle" color="gray">
            Cancel
          </ButtonLink>
        }
        save={(values, thenTest) =>
          create.mutate(withDefaultName(toApiInput(values), receiverUrl), {
            onSuccess({ hook }) {
              toast(`${webhookName(hook)} created`)
              void navigate({
                to: '/webhooks/$id',
                params: { id: String(hook.id) },
                state: thenTest ? { shouldSendTest: true } : {},
              })
            },
          })
        }
      />
    </>
  )
}
