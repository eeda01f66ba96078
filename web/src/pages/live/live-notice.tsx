/** Whether the line stands; when it broke, that nothing was missed. */
import { Loader } from '@mantine/core'
import { TextLink } from '../../parts/links.tsx'
import { Notice } from '../../parts/notice.tsx'
import { type LiveState, mostShown } from '../../api/live.ts'
import styles from './live.module.css'

export function LiveNotice({ state, isPaused }: { state: LiveState; isPaused: boolean }) {
  if (state === 'broken')
    return (
      <div className={styles.notice}>
        <Notice tone="attention" role="alert" title="The line broke. Connecting again…">
          What happens meanwhile is kept: we go on where it broke.
        </Notice>
      </div>
    )
  if (state === 'full')
    return (
      <div className={styles.notice}>
        <Notice
          tone="attention"
          role="alert"
          title="Your account has as many live lines open as it may have."
        >
          Close Live in another tab or browser, or stop a program that listens. It goes on here by itself as
          soon as there is room; until then everything stands in <TextLink to="/events">Events</TextLink>.
        </Notice>
      </div>
    )
  if (state === 'restored')
    return (
      <div className={styles.notice}>
        <Notice tone="good" role="status" title="Connected again. Nothing was missed." />
      </div>
    )
  if (state === 'reopened')
    return (
      <div className={styles.notice}>
        <Notice tone="accent" role="status" title="Connected again.">
          No event had come before, so there was no place to go on from. What came meanwhile stands in{' '}
          <TextLink to="/events">Events</TextLink>.
        </Notice>
      </div>
    )
  return (
    <p className={styles.line} role="status">
      {state === 'connecting' && (
        <>
          <Loader size={12} /> Connecting…
        </>
      )}
      {state === 'open' && !isPaused && (
        <>
          <span className={styles.dot} aria-hidden="true" /> Connected
        </>
      )}
      {state === 'open' &&
        isPaused &&
        `Paused: of what comes meanwhile the newest ${mostShown} events are kept for you.`}
    </p>
  )
}
