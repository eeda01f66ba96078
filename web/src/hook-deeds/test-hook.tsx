/** A test event through the real pipeline, and what the receiver answered, as soon as it has. */
import { Button, Loader, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { eventQuery } from '../api/events.ts'
import type { DeliverableType, Hook } from '../api/shapes.ts'
import { refreshHooks, useTestHook } from '../api/hooks.ts'
import { AttemptDetail } from '../parts/attempt-detail.tsx'
import { Dialog } from '../parts/dialog.tsx'
import dialog from '../parts/dialog.module.css'
import { FailureNote } from '../parts/failure-note.tsx'
import { ButtonLink } from '../parts/links.tsx'
import { Mono } from '../parts/mono.tsx'
import { Notice } from '../parts/notice.tsx'
import { ServiceWords } from '../parts/service-words.tsx'
import { deliverableTypes, typeWords } from '../words/event-types.ts'
import styles from './test-hook.module.css'

interface TestHookProps {
  hook: Hook
  /** By whoever pressed “and send a test” already. */
  isSentAtOnce: boolean
  close: () => void
}

export function TestHook({ hook, isSentAtOnce, close }: TestHookProps) {
  const test = useTestHook()
  const [type, setType] = useState<DeliverableType>('sms_mo')
  const send = () => test.mutate({ id: hook.id, type: hook.event_type === 'all' ? type : undefined })
  const hasBegun = useRef(false)
  useEffect(() => {
    if (!isSentAtOnce || hasBegun.current) return
    hasBegun.current = true
    send()
  })
  const eventId = test.data?.event_id
  return (
    <Dialog title={`Send a test to webhook ${hook.id}`} close={close} size="xl">
      <div className={dialog.body}>
        <div>
          <p>
            A sample event goes to this webhook alone, the way every event goes, with the header{' '}
            <code>x-hookline-test: 1</code>.
          </p>
          <Mono text={hook.target_url} />
        </div>
        {hook.event_type === 'all' && (
          <NativeSelect
            label="Which event"
            value={type}
            onChange={(event) => setType(event.currentTarget.value as DeliverableType)}
            data={deliverableTypes.map((one) => ({ value: one, label: typeWords(one).name }))}
          />
        )}
        <FailureNote error={test.error} />
        {eventId === undefined && test.isPending && <OnItsWay />}
        {eventId !== undefined && <Answered key={eventId} eventId={eventId} />}
        <div className={dialog.actions}>
          {eventId !== undefined && (
            <ButtonLink variant="default" to="/events/$id" params={{ id: eventId }}>
              Open the event
            </ButtonLink>
          )}
          {/* While it sends it cannot have the focus. */}
          <Button loading={test.isPending} onClick={send} data-autofocus={isSentAtOnce ? undefined : true}>
            {eventId === undefined ? 'Send the test' : 'Send another'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function OnItsWay({ words = 'On its way…' }: { words?: string }) {
  return (
    <p className={styles.waiting} role="status">
      <Loader size="xs" /> <ServiceWords of={words} />
    </p>
  )
}

const lookMs = 700

function Answered({ eventId }: { eventId: string }) {
  const story = useQuery({
    ...eventQuery(eventId),
    refetchInterval: ({ state }) => (state.data?.hooks.some(isDecided) ? false : lookMs),
  })
  const delivery = story.data?.hooks.find(({ deliveries }) => deliveries.length > 0)?.deliveries[0]
  const attempt = delivery?.attempts.at(-1)
  const isAnswered = attempt !== undefined
  useEffect(() => {
    if (isAnswered) void refreshHooks()
  }, [isAnswered])
  if (story.isError) return <FailureNote error={story.error} isChange={false} />
  if (delivery === undefined || attempt === undefined)
    return <OnItsWay {...(delivery && { words: delivery.sentence })} />
  const isDelivered = delivery.state === 'delivered'
  return (
    <>
      <Notice
        tone={isDelivered ? 'good' : 'bad'}
        role="status"
        title={<ServiceWords of={delivery.sentence} />}
      />
      <AttemptDetail attempt={attempt} />
    </>
  )
}

function isDecided({ deliveries }: { deliveries: readonly { attempts: readonly unknown[] }[] }): boolean {
  return deliveries.some(({ attempts }) => attempts.length > 0)
}
