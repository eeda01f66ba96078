/** Ranges of time in words, and how finely they are drawn. */
import type { HookRange } from '../api/shapes.ts'
import type { BucketStep } from './clock.ts'

interface RangeWords {
  short: string
  /** As in “in the …”. */
  span: string
  words: string
  step: BucketStep
}

export const rangeWords: Record<HookRange, RangeWords> = {
  '24h': { short: '24 h', span: 'last 24 hours', words: 'The last 24 hours, by the hour', step: 'hour' },
  '7d': { short: '7 d', span: 'last 7 days', words: 'The last 7 days, by the hour', step: 'hour' },
  '30d': { short: '30 d', span: 'last 30 days', words: 'The last 30 days, by the day (UTC)', step: 'day' },
}
