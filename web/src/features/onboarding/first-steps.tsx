/** First steps of a new account. The first two complete themselves from the data of the account. */
import { Button } from '@mantine/core'
import { IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { onboardingQuery, testReceiverUrlQuery, useChangeOnboarding } from '../../api/onboarding.ts'
import { webhooksQuery } from '../../api/webhooks.ts'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import { ButtonLink, TextLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import styles from './first-steps.module.css'

export function FirstSteps() {
  const steps = useQuery(onboardingQuery).data
  const change = useChangeOnboarding()
  const hooks = useQuery(webhooksQuery).data
  // Most accounts see no steps, so they do not read it.
  const isNeeded = steps?.shown === true && steps.test_delivered
  const receiverUrl = useQuery({ ...testReceiverUrlQuery, enabled: isNeeded }).data
  if (steps === undefined || !steps.shown) return null
  const { webhook_created: hasWebhook, test_delivered: hasTest, signature_verified: isVerified } = steps
  const done = [hasWebhook, hasTest, isVerified].filter(Boolean).length
  if (done === 3) return null
  const isVerifiedByTestReceiver =
    hasTest && hooks !== undefined && hooks.every(({ hook }) => hook.target_url === receiverUrl)
  return (
    <div className={styles.panel}>
      <Panel
        title="Your first webhook"
        description={`${done} of 3 steps done`}
        actions={
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            loading={change.isPending}
            onClick={() => change.mutate({ dismissed: true })}
          >
            Dismiss steps
          </Button>
        }
      >
        <ErrorNotice error={change.error} />
        <ol className={styles.steps}>
          <Step
            title="Create a webhook"
            isDone={hasWebhook}
            action={<ButtonLink to="/webhooks/new">New webhook</ButtonLink>}
          >
            A webhook sends each event to your endpoint as it happens. No server yet? The form offers a
            built-in test receiver, and shows the same as an API call.
          </Step>
          <Step
            title="Send a test event"
            isDone={hasTest}
            action={
              hasWebhook && (
                <ButtonLink to="/webhooks" variant="default">
                  View webhooks
                </ButtonLink>
              )
            }
          >
            Open the webhook and send a test event. This step is done once an event is delivered. The{' '}
            <TextLink to="/webhooks/test-receiver">test receiver</TextLink> shows what arrives.
          </Step>
          <Step
            title="Verify the signature"
            isDone={isVerified}
            action={
              <Button
                variant="default"
                loading={change.isPending}
                onClick={() => change.mutate({ signature_verified: true })}
              >
                Mark as done
              </Button>
            }
          >
            {isVerifiedByTestReceiver &&
              'The test receiver verified the signatures of your requests. A server of your own must do the same. '}
            Your server must reject requests without a valid signature, as the{' '}
            <TextLink to="/guides/$guide" params={{ guide: 'signatures' }}>
              guide to signatures
            </TextLink>{' '}
            shows. Hookline cannot see whether it does, so mark this step yourself.
          </Step>
        </ol>
      </Panel>
    </div>
  )
}

interface StepProps {
  title: string
  isDone: boolean
  action: ReactNode
  children: ReactNode
}

function Step({ title, isDone, action, children }: StepProps) {
  return (
    <li className={styles.step} data-done={isDone}>
      {isDone && <IconCircleCheckFilled className={styles.check} size={22} aria-hidden="true" />}
      <div className={styles.text}>
        <h3>
          {title}
          {isDone && <span className={styles.done}>Done</span>}
        </h3>
        {!isDone && <p>{children}</p>}
        {!isDone && action}
      </div>
    </li>
  )
}
