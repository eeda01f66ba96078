/** Shows the data of an event, masked until the user reveals it. */
import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import type { useRevealEvent } from '../../../api/events.ts'
import type { EventDetail } from '../../../api/types.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import dialog from '../../../ui/feedback/dialog.module.css'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { useAccess } from '../../auth/use-access.ts'
import { useRevealReason } from '../reveal-reason.tsx'
import styles from './event.module.css'

interface EventDataProps {
  event: EventDetail['event']
  reveal: ReturnType<typeof useRevealEvent>
}

export function EventData({ event, reveal }: EventDataProps) {
  const [isOpen, setOpen] = useState(false)
  const { canReveal } = useAccess()
  const { reason, isMissing, field } = useRevealReason()
  const isRevealed = reveal.data !== undefined
  return (
    <Panel
      title="Data"
      description={event.producer === null ? 'As submitted' : <>As submitted by {event.producer}</>}
      actions={
        isRevealed ? (
          <StateBadge tone="warning" label="Revealed" />
        ) : (
          canReveal && (
            <Button
              className={styles.noPrint ?? ''}
              variant="default"
              size="xs"
              leftSection={<IconEye size={14} />}
              onClick={() => setOpen(true)}
            >
              Reveal data…
            </Button>
          )
        )
      }
    >
      <dl className={styles.data}>
        {Object.entries(event.data).map(([name, value]) => (
          <Field key={name} name={name} text={textOf(value)} />
        ))}
      </dl>
      {isOpen && !isRevealed && (
        <Dialog title="Reveal personal data?" close={() => setOpen(false)} isBusy={reveal.isPending}>
          <div className={dialog.body}>
            <p>
              Numbers and texts stay visible until you leave this page. The audit log records your access.
            </p>
            {field}
            <ErrorNotice error={reveal.error} isChange={false} />
            <div className={dialog.actions}>
              <Button variant="default" onClick={() => setOpen(false)} disabled={reveal.isPending}>
                Cancel
              </Button>
              <Button
                loading={reveal.isPending}
                disabled={isMissing}
                onClick={() => reveal.mutate(reason)}
                data-autofocus
              >
                Reveal data
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </Panel>
  )
}

/** Longer values scroll, so they can take focus. */
const maxUnscrolledLength = 200

function Field({ name, text }: { name: string; text: string }) {
  const isLong = text.length > maxUnscrolledLength
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <div className={styles.value} {...(isLong && { tabIndex: 0, role: 'group', 'aria-label': name })}>
          <bdi>{text}</bdi>
        </div>
      </dd>
    </div>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
