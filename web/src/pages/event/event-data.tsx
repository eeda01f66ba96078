/** What the event holds: masked, until somebody asks on purpose. */
import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import type { useRevealEvent } from '../../api/events.ts'
import type { EventStory } from '../../api/shapes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import dialog from '../../parts/dialog.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import styles from './event.module.css'

interface EventDataProps {
  event: EventStory['event']
  reveal: ReturnType<typeof useRevealEvent>
}

export function EventData({ event, reveal }: EventDataProps) {
  const [isAsked, setAsked] = useState(false)
  const isRevealed = reveal.data !== undefined
  return (
    <Panel
      title="Data"
      about={event.producer === null ? 'As it was accepted.' : <>As it was accepted from {event.producer}.</>}
      actions={
        isRevealed ? (
          <StateBadge tone="attention" word="Revealed" />
        ) : (
          <Button
            className={styles.noPrint ?? ''}
            variant="default"
            size="xs"
            leftSection={<IconEye size={14} />}
            onClick={() => setAsked(true)}
          >
            Reveal…
          </Button>
        )
      }
    >
      <dl className={styles.data}>
        {Object.entries(event.data).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{textOf(value)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {isAsked && !isRevealed && (
        <Dialog title="Reveal numbers and texts?" close={() => setAsked(false)} isBusy={reveal.isPending}>
          <div className={dialog.body}>
            <p>
              They belong to people. You see them until you leave this page, and that you looked is kept in
              the audit log.
            </p>
            <FailureNote error={reveal.error} isChange={false} />
            <div className={dialog.actions}>
              <Button variant="default" onClick={() => setAsked(false)} disabled={reveal.isPending}>
                Cancel
              </Button>
              <Button loading={reveal.isPending} onClick={() => reveal.mutate()} data-autofocus>
                Reveal
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </Panel>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
