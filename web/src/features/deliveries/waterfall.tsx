/** Shows the timing of an attempt: one bar per phase, each starting where the previous one ends. */
import type { Attempt } from '../../api/types.ts'
import { formatDuration } from '../../lib/format-duration.ts'
import styles from './waterfall.module.css'

const phases = [
  { field: 'dns_ms', title: 'DNS' },
  { field: 'connect_ms', title: 'Connect' },
  { field: 'tls_ms', title: 'TLS' },
  { field: 'first_byte_ms', title: 'Wait' },
  { field: 'body_ms', title: 'Read' },
] as const

/** Computes the start of each phase. A skipped phase takes no time. */
function barsOf(times: Attempt['phases']): { title: string; ms: number | null; startMs: number }[] {
  let startMs = 0
  return phases.map(({ field, title }) => {
    const ms = times[field]
    const bar = { title, ms, startMs }
    startMs += ms ?? 0
    return bar
  })
}

export function Waterfall({ phases: times }: { phases: Attempt['phases'] }) {
  const bars = barsOf(times)
  const sumMs = bars.reduce((sum, { ms }) => sum + (ms ?? 0), 0)
  const scaleMs = Math.max(times.total_ms, sumMs, 1)
  const isReused = times.connect_ms === null && times.first_byte_ms !== null
  return (
    <div>
      <dl className={styles.waterfall}>
        {bars.map(({ title, ms, startMs }) => (
          <div key={title} className={styles.phase} data-is-empty={ms === null}>
            <dt>{title}</dt>
            <dd className={styles.lane} aria-hidden="true">
              {ms !== null && (
                <span
                  className={styles.bar}
                  data-phase={title}
                  style={{
                    insetInlineStart: `${(startMs / scaleMs) * 100}%`,
                    inlineSize: `${(ms / scaleMs) * 100}%`,
                  }}
                />
              )}
            </dd>
            <dd className={styles.value}>{ms === null ? '–' : formatDuration(ms)}</dd>
          </div>
        ))}
        <div className={styles.phase}>
          <dt>Total</dt>
          <dd className={styles.lane} aria-hidden="true" />
          <dd className={styles.value}>
            <strong>{formatDuration(times.total_ms)}</strong>
          </dd>
        </div>
      </dl>
      {isReused && <p className={styles.note}>Reused an open connection</p>}
    </div>
  )
}
