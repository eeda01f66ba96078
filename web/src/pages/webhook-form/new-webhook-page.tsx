/** A new webhook. */
import { getRouteApi } from '@tanstack/react-router'
import { useCreateHook } from '../../api/hooks.ts'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { say } from '../../parts/say.ts'
import { emptyForm, wireOf } from './form-values.ts'
import { WebhookForm } from './webhook-form.tsx'
import styles from './webhook-form.module.css'

const route = getRouteApi('/area/webhooks/new')

export function NewWebhookPage() {
  const navigate = route.useNavigate()
  const create = useCreateHook()
  return (
    <>
      <TextLink to="/webhooks" className={styles.back}>
        ← All webhooks
      </TextLink>
      <PageHeader
        title="New webhook"
        about="Complete the sentence; beside it stands what your server will get."
      />
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
          create.mutate(wireOf(values), {
            onSuccess({ id }) {
              say(`Webhook ${id} is there. Events are sent to it from now on.`)
              void navigate({
                to: '/webhooks/$id',
                params: { id: String(id) },
                state: thenTest ? { isToBeTested: true } : {},
              })
            },
          })
        }
      />
    </>
  )
}
