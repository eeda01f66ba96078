/** Buttons to pause, resume or cancel a replay. */
import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Replay } from '../../api/types.ts'
import { isActive, useChangeReplay } from '../../api/replays.ts'
import { useAccess } from '../auth/use-access.ts'
import { ConfirmDanger } from '../../ui/feedback/confirm-danger.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { formatNumber } from '../../lib/format-number.ts'
import { describeError } from '../../messages/errors.ts'
import styles from './replay.module.css'

export function ReplayActions({ replay }: { replay: Replay }) {
  const change = useChangeReplay()
  const [isOpen, setOpen] = useState(false)
  const { hasRole } = useAccess()
  if (!isActive(replay) || !hasRole('developer')) return null
  const { id, state } = replay
  const action = state === 'paused' ? 'resume' : 'pause'
  return (
    <span className={styles.actions}>
      <Button
        size="xs"
        variant="default"
        leftSection={action === 'pause' ? <IconPlayerPause size={14} /> : <IconPlayerPlay size={14} />}
        loading={change.isPending}
        onClick={() =>
          change.mutate(
            { id, action },
            {
              onError: (error) =>
                toast(`Failed to ${action} replay ${id}: ${describeError(error, true).title}`, 'danger'),
            },
          )
        }
      >
        {action === 'pause' ? 'Pause' : 'Resume'}
      </Button>
      <Button size="xs" variant="default" leftSection={<IconX size={14} />} onClick={() => setOpen(true)}>
        Cancel
      </Button>
      {isOpen && (
        <ConfirmDanger
          title={`Cancel replay ${id}?`}
          action="Cancel replay"
          act={() => change.mutateAsync({ id, action: 'cancel' })}
          close={() => setOpen(false)}
        >
          {formatNumber(replay.started)} of {formatNumber(replay.total)} deliveries started. No more are sent,
          and pending ones are canceled.{' '}
          {replay.kind === 'held'
            ? 'Held events go back on hold.'
            : 'You can start another replay for the rest.'}
        </ConfirmDanger>
      )}
    </span>
  )
}
