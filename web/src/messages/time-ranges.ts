/** Labels of time ranges and their chart resolution. */
import type { OverviewRange } from '../api/types.ts'
import type { BucketStep } from '../lib/format-clock.ts'

interface RangeText {
  short: string
  /** For use after “in the”. */
  span: string
  label: string
  step: BucketStep
}

export const rangeText: Record<OverviewRange, RangeText> = {
  '1h': { short: '1h', span: 'last hour', label: 'Last hour, by minute', step: 'minute' },
  '24h': { short: '24h', span: 'last 24 hours', label: 'Last 24 hours, hourly', step: 'hour' },
  '7d': { short: '7d', span: 'last 7 days', label: 'Last 7 days, hourly', step: 'hour' },
  '30d': { short: '30d', span: 'last 30 days', label: 'Last 30 days, daily (UTC)', step: 'day' },
}
