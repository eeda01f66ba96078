/** Pause, resume, cancel. */
import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Replay } from '../api/shapes.ts'
import { isUnderWay, useChangeReplay } from '../api/replays.ts'
import { ConfirmDanger } from '../parts/confirm-danger.tsx'
import { say } from '../parts/say.ts'
import { figure } from '../words/count.ts'
import { failureWords } from '../words/failure.ts'
import styles from './replay.module.css'

export function ReplayActions({ of: replay }: { of: Replay }) {
  const change = useChangeReplay()
  const [isAsked, setAsked] = useState(false)
  if (!isUnderWay(replay)) return null
  const { id, state } = replay
  const deed = state === 'paused' ? 'resume' : 'pause'
  return (
    <span className={styles.actions}>
      <Button
        size="xs"
        variant="default"
        leftSection={deed === 'pause' ? <IconPlayerPause size={14} /> : <IconPlayerPlay size={14} />}
        loading={change.isPending}
        onClick={() =>
          change.mutate(
            { id, deed },
            { onError: (error) => say(`Nothing was changed: ${failureWords(error, true).title}`, 'bad') },
          )
        }
      >
        {deed === 'pause' ? 'Pause' : 'Resume'}
      </Button>
      <Button size="xs" variant="default" leftSection={<IconX size={14} />} onClick={() => setAsked(true)}>
        Cancel
      </Button>
      {isAsked && (
        <ConfirmDanger
          title={`Cancel replay ${id}?`}
          action="Cancel the replay"
          act={() => change.mutateAsync({ id, deed: 'cancel' })}
          close={() => setAsked(false)}
        >
          {figure(replay.started)} of {figure(replay.total)} deliveries were started. Nothing more is sent,
          and what waits ends as cancelled.{' '}
          {replay.kind === 'held'
            ? 'What the webhook held is held for it again.'
            : 'You can start another replay for the rest.'}
        </ConfirmDanger>
      )}
    </span>
  )
}
