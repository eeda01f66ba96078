/** Shows the state of the live connection. */
import { Loader } from '@mantine/core'
import { TextLink } from '../../../ui/layout/links.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import type { LiveState } from '../../../api/live-stream.ts'
import styles from './live.module.css'

export function ConnectionNotice({ state, isPaused }: { state: LiveState; isPaused: boolean }) {
  if (state === 'broken')
    return (
      <div className={styles.notice}>
        <Notice tone="warning" role="alert" title="Connection lost. Reconnecting…">
          No events are lost. The stream resumes at the last event.
        </Notice>
      </div>
    )
  if (state === 'full')
    return (
      <div className={styles.notice}>
        <Notice tone="warning" role="alert" title="Live connection limit reached">
          Turn Live off in another tab, or stop another client. This page connects once a connection is free.
          Until then, <TextLink to="/events">search events</TextLink>.
        </Notice>
      </div>
    )
  if (state === 'restored')
    return (
      <div className={styles.notice}>
        <Notice tone="success" role="status" title="Reconnected, no events missed" />
      </div>
    )
  if (state === 'reopened')
    return (
      <div className={styles.notice}>
        <Notice tone="info" role="status" title="Reconnected">
          The stream had no cursor to resume from. The newest events were loaded again.
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
      {state === 'open' && isPaused && 'Paused. New events are added when you resume.'}
    </p>
  )
}
