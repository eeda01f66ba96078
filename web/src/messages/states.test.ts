import { expect, test } from 'vitest'
import {
  deliveryStates,
  describePending,
  finalStates,
  healthOrder,
  isFailingState,
  toneForRatio,
} from './states.ts'

test.each([
  [1, 'success'],
  [0.99, 'warning'],
  [0.9, 'warning'],
  [0.899, 'danger'],
])('a success ratio of %d has the tone %j', (ratio, tone) => {
  expect(toneForRatio(ratio)).toBe(tone)
})

test('pending and held deliveries are not final', () => {
  const finished: readonly string[] = finalStates
  expect(deliveryStates.filter((state) => !finished.includes(state))).toEqual(['waiting', 'held'])
})

test('failing states come before healthy ones', () => {
  expect(healthOrder.filter(isFailingState)).toEqual(['failing', 'backing_off', 'degraded'])
  expect(healthOrder[0]).toBe('failing')
  expect(healthOrder.at(-1)).toBe('healthy')
})

test('a webhook without finished deliveries says whether any are pending', () => {
  expect(describePending(3)).toBe('None finished yet')
  expect(describePending(0)).toBe('No deliveries')
})
