/** Sends a test event through the delivery pipeline and shows the response as soon as it arrives. */
import { Button, Loader, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { eventTypesQuery } from '../../../api/client.ts'
import { eventQuery } from '../../../api/events.ts'
import { testReceiverUrlQuery } from '../../../api/onboarding.ts'
import type { Hook } from '../../../api/types.ts'
import { invalidateWebhooks, useTestWebhook } from '../../../api/webhooks.ts'
import { useAccess } from '../../auth/use-access.ts'
import { AttemptDetail } from '../../deliveries/attempt-detail.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import dialog from '../../../ui/feedback/dialog.module.css'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { ButtonLink, TextLink } from '../../../ui/layout/links.tsx'
import { Mono } from '../../../ui/data/mono.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { describeDelivery } from '../../../messages/deliveries.ts'
import { eventTypeText, typesOfAll } from '../../../messages/event-types.ts'
import { webhookName } from '../../../messages/webhook-name.ts'
import styles from './test-webhook.module.css'

interface TestWebhookProps {
  hook: Hook
  /** The user has already pressed “Create and test” or “Save and test”. */
  isSentImmediately: boolean
  close: () => void
}

export function TestWebhook({ hook, isSentImmediately, close }: TestWebhookProps) {
  const test = useTestWebhook()
  const catalog = useQuery(eventTypesQuery).data
  const types = hook.chosen?.event_types ?? typesOfAll(catalog)
  const [type, setType] = useState(hook.chosen?.event_types[0] ?? 'sms_mo')
  const send = () => test.mutate({ id: hook.id, type: hook.event_type === 'all' ? type : undefined })
  const hasSent = useRef(false)
  useEffect(() => {
    if (!isSentImmediately || hasSent.current) return
    hasSent.current = true
    send()
  })
  const eventId = test.data?.event_id
  const enabled = useAccess().mayCall(testReceiverUrlQuery)
  const isTestReceiver = useQuery({ ...testReceiverUrlQuery, enabled }).data === hook.target_url
  return (
    <Dialog title={`Send test event to ${webhookName(hook)}`} close={close} size="xl">
      <div className={dialog.body}>
        <div>
          <p>
            Sends a sample event to this webhook only, through the regular delivery pipeline, with the header{' '}
            <code>x-hookline-test: 1</code>.{' '}
            <TextLink to="/guides/payloads">Payloads of event types</TextLink>
          </p>
          <Mono text={hook.target_url} />
        </div>
        {hook.event_type === 'all' && (
          <NativeSelect
            label="Event type"
            value={type}
            onChange={(event) => setType(event.currentTarget.value)}
            data={types.map((name) => ({ value: name, label: eventTypeText(name).name }))}
          />
        )}
        <ErrorNotice error={test.error} />
        {eventId === undefined && test.isPending && <Sending />}
        {eventId !== undefined && <TestResult key={eventId} eventId={eventId} />}
        <div className={dialog.actions}>
          {eventId !== undefined && isTestReceiver && (
            <ButtonLink variant="default" to="/webhooks/test-receiver">
              View in test receiver
            </ButtonLink>
          )}
          {eventId !== undefined && (
            <ButtonLink variant="default" to="/events/$id" params={{ id: eventId }}>
              View event
            </ButtonLink>
          )}
          {/* A loading button cannot take focus. */}
          <Button
            loading={test.isPending}
            onClick={send}
            data-autofocus={isSentImmediately ? undefined : true}
          >
            {eventId === undefined ? 'Send event' : 'Send another'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Sending({ text = 'Sending…' }: { text?: string }) {
  return (
    <p className={styles.waiting} role="status">
      <Loader size="xs" /> {text}
    </p>
  )
}

const pollMs = 700

function TestResult({ eventId }: { eventId: string }) {
  const now = new Date(useNow())
  const detail = useQuery({
    ...eventQuery(eventId),
    refetchInterval: ({ state }) => (state.data?.hooks.some(hasAttempts) ? false : pollMs),
  })
  const delivery = detail.data?.hooks.find(({ deliveries }) => deliveries.length > 0)?.deliveries[0]
  const attempt = delivery?.attempts.at(-1)
  const hasAttempt = attempt !== undefined
  useEffect(() => {
    if (hasAttempt) void invalidateWebhooks()
  }, [hasAttempt])
  if (detail.isError) return <ErrorNotice error={detail.error} isChange={false} />
  if (delivery === undefined || attempt === undefined)
    return <Sending {...(delivery && { text: describeDelivery(delivery, now) })} />
  const isDelivered = delivery.state === 'delivered'
  return (
    <>
      <Notice
        tone={isDelivered ? 'success' : 'danger'}
        role="status"
        title={describeDelivery(delivery, now)}
      />
      <AttemptDetail attempt={attempt} />
    </>
  )
}

function hasAttempts({ deliveries }: { deliveries: readonly { attempts: readonly unknown[] }[] }): boolean {
  return deliveries.some(({ attempts }) => attempts.length > 0)
}
