import { expect, test } from 'vitest'
import { closeAfterMs, createFence, maxSilenceMs } from './fence.ts'
import type { OtherWorker } from './queue/live-workers.ts'
import { createSilenceWatch } from './silent-workers.ts'

const start = 1_000_000

function createTestClock() {
  let now = start
  return { now: () => now, pass: (ms: number) => (now += ms) }
}

test('a worker starts nothing before its first heartbeat, and nothing soon after its last one', () => {
  const { now, pass } = createTestClock()
  const fence = createFence(now)
  expect(fence.isOpen()).toBe(false)
  expect(fence.holds({ takenAt: now() })).toBe(false)
  fence.heartbeat(now())
  expect(fence.holds({ takenAt: now() })).toBe(true)
  pass(closeAfterMs)
  expect(fence.isOpen()).toBe(true)
  pass(1)
  expect(fence.isOpen()).toBe(false)
})

test('a heartbeat counts from when it was sent, however late it returns', () => {
  const { now, pass } = createTestClock()
  const fence = createFence(now)
  const sentAt = now()
  pass(closeAfterMs + 1)
  fence.heartbeat(sentAt)
  expect(fence.isOpen()).toBe(false)
})

test('a heartbeat that was sent in time and returns late voids earlier leases', () => {
  const { now, pass } = createTestClock()
  const fence = createFence(now)
  fence.heartbeat(now())
  const before = { takenAt: now() }
  pass(2_500)
  const sentAt = now()
  pass(2_620)
  fence.heartbeat(sentAt)
  expect(fence.isOpen()).toBe(true)
  expect(fence.holds(before)).toBe(false)
})

test('after a silence, leases from before are void and new ones are not', () => {
  const { now, pass } = createTestClock()
  const fence = createFence(now)
  fence.heartbeat(now())
  const before = { takenAt: now() }
  pass(1_000)
  fence.heartbeat(now())
  expect(fence.holds(before)).toBe(true)
  pass(closeAfterMs + 1)
  fence.heartbeat(now())
  expect(fence.holds(before)).toBe(false)
  expect(fence.holds({ takenAt: now() })).toBe(true)
})

const seen = (second: number): OtherWorker => ({ id: 'other', seenAt: `12:00:0${second}`, isLive: true })

test('a worker is silent when its heartbeat has not changed for some seconds of heartbeats', () => {
  const { now, pass } = createTestClock()
  const silentAmong = createSilenceWatch(now)
  expect(silentAmong([seen(0)])).toEqual([])
  for (let ms = 1_000; ms < maxSilenceMs; ms += 1_000) {
    pass(1_000)
    expect(silentAmong([seen(0)])).toEqual([])
  }
  pass(1_000)
  expect(silentAmong([seen(0)])).toEqual([seen(0)])
})

test('a heartbeat of the other worker starts the time again', () => {
  const { now, pass } = createTestClock()
  const silentAmong = createSilenceWatch(now)
  for (let second = 0; second < 9; second++) {
    expect(silentAmong([seen(second)])).toEqual([])
    pass(1_000)
  }
})

test('after an outage of the database, no worker counts as silent before it had time for a heartbeat', () => {
  const { now, pass } = createTestClock()
  const silentAmong = createSilenceWatch(now)
  silentAmong([seen(0)])
  pass(1_000)
  silentAmong([seen(0)])
  // No heartbeat of this worker succeeds.
  pass(20_000)
  for (let ms = 0; ms < maxSilenceMs; ms += 1_000) {
    expect(silentAmong([seen(0)])).toEqual([])
    pass(1_000)
  }
  expect(silentAmong([seen(0)])).toEqual([seen(0)])
})

test('a worker stops before others take over, whenever they see its last heartbeat', () => {
  const { now, pass } = createTestClock()
  const fence = createFence(now)
  const silentAmong = createSilenceWatch(now)
  fence.heartbeat(now())
  // The earliest moment at which others can see it.
  silentAmong([seen(0)])
  while (silentAmong([seen(0)]).length === 0) pass(100)
  expect(fence.isOpen()).toBe(false)
})
