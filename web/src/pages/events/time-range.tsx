/** When: one of a few ranges that move along, or two exact times. */
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Since } from '../../api/events.ts'
import { FilterChip } from '../../parts/filter-chip.tsx'
import { minuteOf } from '../../words/clock.ts'
import { without } from '../../words/without.ts'
import { TimeBound } from './time-bound.tsx'
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
  const setBound = (field: 'from' | 'to', value: string | undefined) => {
    // Whoever empties a field is about to fill it again.
    setAsked(true)
    void navigate({
      search: (now) => {
        const rest = without(without(without(now, 'cursor'), 'since'), field)
        return value === undefined ? rest : { ...rest, [field]: value }
      },
      replace: true,
    })
  }
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
          <TimeBound label="From" value={from} set={(value) => setBound('from', value)} />
          <TimeBound label="To" value={to} set={(value) => setBound('to', value)} />
        </span>
      )}
    </>
  )
}
