/** Checks what the guides say about filters and retries against the code that filters and retries. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decideNextStep } from '../../src/delivery/retry/retry-policy.ts'
import type { RetryPolicy } from '../../src/model/delivery-options.ts'
import { builtInTraits } from '../../src/model/event-traits.ts'
import { maxFilterUnits } from '../../src/model/filter/budget.ts'
import { compileFilter, filterInput, runFilter, validateFilter } from '../../src/model/filter/event-filter.ts'
import { functions } from '../../src/model/filter/functions.ts'

const filters = readFileSync('docs/filters.md', 'utf8')
const retries = readFileSync('docs/retries.md', 'utf8').replaceAll(/\s+/g, ' ')

describe('the filter guide', () => {
  const [, json = ''] = /```json\n(.*?)```/s.exec(filters) ?? []
  const sample = JSON.parse(json) as { type: 'sms_mo'; data: object }
  const event = {
    id: '019a8716-a680-7000-8000-000000000000',
    accountId: 1,
    type: sample.type,
    data: JSON.stringify(sample.data),
    acceptedAt: new Date('2026-11-16T09:30:00Z'),
  }
  const examples = [...filters.matchAll(/^\| `(.+?)` +\| (yes|no)\b/gm)].map(([, filter = '', expected]) => ({
    filter: filter.replaceAll('\\|', '|'),
    expected,
  }))

  test('has examples of both kinds and results', () => {
    expect(examples.length).toBeGreaterThan(15)
    expect(event.acceptedAt.getUTCDay()).toBe(1)
  })

  test.each(examples)('$filter: $expected', ({ filter, expected }) => {
    validateFilter(filter, 4_096)
    const { matches } = runFilter(
      compileFilter(filter),
      filterInput(event, builtInTraits[sample.type]),
      maxFilterUnits,
    )
    expect(matches ? 'yes' : 'no').toBe(expected)
  })

  test('lists every function', () => {
    const section = filters.split('### Functions')[1]?.split('\n## ')[0] ?? ''
    const listed = section
      .split('\n')
      .filter((line) => line.startsWith('| ') && line.includes('`'))
      .flatMap((line) => [...line.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
    const callable = [...functions.keys()].map((key) => /\w+/.exec(key)?.[0] ?? '')
    expect([...new Set(listed)].toSorted()).toEqual([...new Set(callable)].toSorted())
  })
})

/** Returns the delays before the attempts of a delivery that always fails, without jitter. */
function schedule(retryPolicy: RetryPolicy, isTimeSensitive: boolean): number[] {
  const delays = [0]
  for (;;) {
    const decision = decideNextStep({
      isTimeSensitive,
      retryPolicy,
      attempts: delays.length,
      ageMs: 0,
      outcome: { reason: 'status', status: 500, timings: { totalMs: 1 } },
      random: 0,
    })
    if (decision.state !== 'waiting') return delays
    delays.push(decision.delayMs / 1_000)
  }
}

function format(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`
}

describe('the retry guide', () => {
  const listing = new Intl.ListFormat('en-GB', { type: 'conjunction' })

  test.each(['standard', 'original'] as const)('has the delays of the policy %s', (policy) => {
    const delays = schedule(policy, false)
    expect(retries).toContain(`delays before the attempts are ${listing.format(delays.map(format))}:`)
    const hours = delays.reduce((sum, delay) => sum + delay, 0) / 3_600
    expect(retries).toContain(`attempts over ${Math.round(hours)} to ${Math.round(hours * 1.2)} hours`)
  })

  test('has the delays of time-sensitive events', () => {
    const delays = schedule('standard', true)
    expect(retries).toContain(`the delays are ${listing.format(delays.map(String))} seconds`)
  })
})
