/** Time filter: a relative range or two exact times. */
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Since } from '../../api/events.ts'
import { FilterChip } from '../../ui/data/filter-chip.tsx'
import { formatMinute } from '../../lib/format-clock.ts'
import { omit } from '../../lib/omit.ts'
import { TimeBound } from './time-bound.tsx'
import styles from './events.module.css'

const route = getRouteApi('/app/events')

const ranges: readonly { value: Since | 'exact'; title: string }[] = [
  { value: '1h', title: 'last hour' },
  { value: '24h', title: 'last 24 hours' },
  { value: '7d', title: 'last 7 days' },
  { value: '30d', title: 'last 30 days' },
]

export function TimeRange() {
  const { since, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  // The inputs can be open before a bound is set.
  const [isOpen, setOpen] = useState(false)
  const isExact = isOpen || from !== undefined || to !== undefined
  const exactRange = `${from === undefined ? 'start' : formatMinute(new Date(from))} to ${
    to === undefined ? 'now' : formatMinute(new Date(to))
  }`
  const choose = (value: string) => {
    setOpen(value === 'exact')
    if (value === 'exact') return
    void navigate({
      search: (now) => {
        const withoutTime = omit(omit(omit(omit(now, 'cursor'), 'from'), 'to'), 'since')
        return value === '' ? withoutTime : { ...withoutTime, since: value as Since }
      },
    })
  }
  const setBound = (field: 'from' | 'to', value: string | undefined) => {
    // Keeps the inputs open while the user replaces a value.
    setOpen(true)
    void navigate({
      search: (now) => {
        const rest = omit(omit(omit(now, 'cursor'), 'since'), field)
        return value === undefined ? rest : { ...rest, [field]: value }
      },
      replace: true,
    })
  }
  return (
    <>
      <FilterChip
        title="Time"
        value={isExact ? 'exact' : (since ?? '')}
        choices={[
          ...ranges,
          {
            value: 'exact',
            title: from === undefined && to === undefined ? 'custom range' : exactRange,
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
