/** Shows a running replay on every page until the user dismisses it. */
import { CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isActive, replaysQuery } from '../../api/replays.ts'
import { dismiss, readDismissed } from '../../lib/dismissed.ts'
import { focusHeading } from '../../lib/focus-heading.ts'
import { describeRate, describeWaiting, isBlocked, replayStatus } from '../../messages/replays.ts'
import { TextLink } from '../../ui/layout/links.tsx'
import { ReplayProgress } from './replay-progress.tsx'
import styles from './replay.module.css'

const storageName = 'hookline-dismissed-replays'

export function ReplayBanner() {
  const [dismissed, setDismissed] = useState(() => readDismissed(storageName))
  const active = (useQuery(replaysQuery).data ?? []).filter(
    (replay) => isActive(replay) && !dismissed.includes(replay.id),
  )
  const [first] = active
  if (first === undefined) return null
  const [reason] = first.waiting
  return (
    <section className={styles.banner} aria-label="Active replay">
      <TextLink to="/replays/$id" params={{ id: String(first.id) }}>
        Replay {first.id} is {replayStatus(first).label.toLowerCase()}
      </TextLink>
      <span className={styles.bar}>
        <ReplayProgress replay={first} />
      </span>
      <span>{isBlocked(first) && reason !== undefined ? describeWaiting(reason) : describeRate(first)}</span>
      {active.length > 1 && <TextLink to="/replays">and {active.length - 1} more</TextLink>}
      <CloseButton
        size="sm"
        aria-label="Dismiss"
        onClick={() => {
          setDismissed(
            dismiss(
              storageName,
              active.map(({ id }) => id),
            ),
          )
          focusHeading()
        }}
      />
    </section>
  )
}
