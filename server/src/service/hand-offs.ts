/** Connects api processes and workers for hand-offs: directly in one process, and by NATS between processes. */
import { createHandOffTargets, type HandOffTargets, receiveHandOff } from '../delivery/hand-off-targets.ts'
import type { Database } from '../db/database.ts'
import { releaseHandOffs } from '../delivery/queue/hand-offs.ts'
import type { Worker } from '../delivery/worker.ts'
import { receiveHandOffs, sendHandOffs } from '../nats/hand-offs.ts'
import type { Infrastructure } from './infrastructure.ts'

/** Reports of room while deliveries arrive, and otherwise. */
const busyReportMs = 10
const idleReportMs = 500
const limitsEveryMs = 100
/** Of hooks, accounts and hosts at their limit. A delivery for one beyond this is released by the worker. */
const maxReported = 500

export function createTargets({ nats, clock, warn }: Infrastructure, db: Database): HandOffTargets {
  const link =
    nats &&
    sendHandOffs(nats.connection, nats.installation, {
      onRoom: (report) => targets.onRoom(report),
      onError: warn,
    })
  const targets = createHandOffTargets(clock, link || undefined, (deliveries) => {
    releaseHandOffs(db, deliveries, 0).catch(warn)
  })
  return targets
}

/** Receives hand-offs of other processes, and reports the room of the worker. */
export function receiveByNats(
  { nats, clock, warn }: Infrastructure,
  { id, handOffs, atLimit }: Worker,
): { stop: () => void } {
  if (nats === undefined) return { stop() {} }
  const link = receiveHandOffs(nats.connection, nats.installation, id, {
    onHandOff: (handOff) => receiveHandOff(handOffs, clock, handOff),
    onError: warn,
  })
  let last = { room: -1, at: Number.NEGATIVE_INFINITY }
  let limits = { at: Number.NEGATIVE_INFINITY, ...noLimits }

  function report(): void {
    const now = clock.monotonic()
    const room = handOffs.room()
    if (room === last.room && now - last.at < idleReportMs) return
    if (now - limits.at >= limitsEveryMs) limits = { at: now, ...shorten(atLimit()) }
    last = { room, at: now }
    const { hooks, accounts, hosts } = limits
    link.report({ worker: id, room, atLimit: { hooks, accounts, hosts } })
  }

  const timer = setInterval(report, busyReportMs)
  return {
    stop() {
      clearInterval(timer)
      report()
    },
  }
}

const noLimits: ReturnType<Worker['atLimit']> = { hooks: [], accounts: [], hosts: [] }

function shorten({ hooks, accounts, hosts }: ReturnType<Worker['atLimit']>): ReturnType<Worker['atLimit']> {
  return {
    hooks: hooks.slice(0, maxReported),
    accounts: accounts.slice(0, maxReported),
    hosts: hosts.slice(0, maxReported),
  }
}
