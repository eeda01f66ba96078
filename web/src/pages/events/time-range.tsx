/** When: one of a few ranges that move along, or two exact times. */
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Since } from '../../api/events.ts'
import { FilterChip } from '../../parts/filter-chip.tsx'
import { minuteOf } from '../../words/clock.ts'
import { without } from '../../words/without.ts'
import styles from './events.module.css'

const route = getRouteApi('/area/events')

const ranges: readonly { value: Since | 'exact'; title: string }[] = [
  { value: '1h', title: 'last hour' },
  { value: '24h', title: 'last 24 hours' },
  { value: '7d', title: 'last 7 days' },
  { value: '30d', title: 'last 30 days' },
]

export function TimeRange() {
  const { since, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  // Asked for, and maybe not given yet.
  const [isAsked, setAsked] = useState(false)
  const isExact = isAsked || from !== undefined || to !== undefined
  const exactWords = `${from === undefined ? 'the beginning' : minuteOf(new Date(from))} to ${
    to === undefined ? 'now' : minuteOf(new Date(to))
  }`
  const choose = (value: string) => {
    setAsked(value === 'exact')
    if (value === 'exact') return
    void navigate({
      search: (now) => {
        const timeless = without(without(without(without(now, 'cursor'), 'from'), 'to'), 'since')
        return value === '' ? timeless : { ...timeless, since: value as Since }
      },
    })
  }
  const setBound = (field: 'from' | 'to', local: string) =>
    void navigate({
      search: (now) => {
        const rest = without(without(without(now, 'cursor'), 'since'), field)
        return local === '' ? rest : { ...rest, [field]: new Date(local).toISOString() }
      },
      replace: true,
    })
  return (
    <>
      <FilterChip
        title="When"
        value={isExact ? 'exact' : (since ?? '')}
        choices={[
          ...ranges,
          {
            value: 'exact',
            title: from === undefined && to === undefined ? 'between two times' : exactWords,
          },
        ]}
        choose={choose}
      />
      {isExact && (
        <span className={styles.bounds}>
          <Bound label="From" value={from} set={(local) => setBound('from', local)} />
          <Bound label="To" value={to} set={(local) => setBound('to', local)} />
        </span>
      )}
    </>
  )
}

interface BoundProps {
  label: string
  value: string | undefined
  set: (local: string) => void
}

function Bound({ label, value, set }: BoundProps) {
  return (
    <label className={styles.bound}>
      {label}
      <input
        type="datetime-local"
        value={value === undefined ? '' : localMinute(new Date(value))}
        onChange={(event) => set(event.currentTarget.value)}
      />
    </label>
  )
}

/** As the field wants it: local time without a zone. */
function localMinute(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
