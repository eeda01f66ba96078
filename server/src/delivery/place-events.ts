/**
 * Places events at accept: matches them against the cached hooks and chooses a worker, so that one commit stores the event
 * and leases its deliveries. Whatever cannot be decided at once, or would cost time, is left for the inbox, where workers
 * route it: accounts whose hooks are not cached or have many, expensive filters, hooks that cannot receive now, and all
 * events while no worker has room. So no tenant slows intake for the others.
 */
import type { EventTypes } from '../catalog/follow-event-types.ts'
import type { AccountHooks, CachedHook, HookCache } from '../hooks/hook-cache.ts'
import type { EventTraits } from '../model/event-traits.ts'
import { isPartName } from '../model/event-part.ts'
import { filterInput, isExpression } from '../model/filter/event-filter.ts'
import { cachedFilter, unitsToCompile } from '../model/filter/filter-cache.ts'
import { maxBytesOf } from '../nats/hand-off-messages.ts'
import { maxLightHooks } from './heavy-accounts.ts'
import { matchesType } from './matching/match.ts'
import { matchQuickly } from './matching/match-hooks.ts'
import type { ClaimedDelivery } from './queue/claim.ts'
import type { EventMatch, IncomingEvent } from './queue/insert-events.ts'
import type { Lease } from './queue/lease.ts'

/** A worker to which deliveries can be handed off. */
export interface HandOffTarget {
  worker: string
  /** The number of deliveries that it takes now. */
  room: () => number
  /** The maximum size of the events of one hand-off. */
  maxBytes: () => number
  /** How many more deliveries of this hook it can start. */
  roomOf: (accountId: number, hook: Pick<CachedHook, 'id' | 'host' | 'maxPerSecond'>) => number
  /** Hands off deliveries of one commit. */
  handOff: (deliveries: readonly ClaimedDelivery[], lease: Lease) => void
}

export interface Placed {
  target: HandOffTarget
  stopsVersion: string
  /** The match of each event; undefined if it goes to the inbox. */
  matches: ReadonlyArray<EventMatch | undefined>
}

interface PlaceDeps {
  hooks: HookCache
  eventTypes: EventTypes
  /** Returns the worker with the most room, if any has some. */
  chooseTarget: () => HandOffTarget | undefined
  now: () => number
  onError: (error: unknown) => void
}

export interface EventPlacer {
  place: (events: readonly IncomingEvent[]) => Placed | undefined
  /** The commit has found that the cached hooks or stops of these accounts are out of date. */
  refresh: (accountIds: Iterable<number>) => void
}

/** Filters cost at most this on one event, 50 microseconds, and on all events of a commit, a millisecond. */
const maxUnitsPerEvent = 50_000
const maxUnitsPerCommit = 1_000_000
const maxUnitsPerAccount = maxUnitsPerCommit / 4
/** Cost of parsing an event, which its filters are not charged for. */
const parseUnitsPerCharacter = 10
/** Compiling the longest filter takes a third of a millisecond, more than an account has. Others follow in later commits. */
const maxLongCompiledPerCommit = 1
/** Larger events take milliseconds to encode and format. */
const maxCharacters = 64 * 1024
/** One account with many webhooks does not take the room of all others. */
const maxDeliveriesPerAccount = 256
/**
 * If an expression crashed this process, its producer submits the event again, and the next process must not crash as well.
 * So at first, expressions are left to workers: they match an event that has crashed one in isolation.
 */
const withoutExpressionsMs = 60_000
/** Pause between two loads of an account. One with many webhooks is not matched here, so its load is of no use. */
const minLoadIntervalMs = 1_000
const minLoadIntervalOfManyMs = 60_000
const maxRememberedLoads = 100_000

export function createEventPlacer(deps: PlaceDeps): EventPlacer {
  const { hooks, eventTypes, chooseTarget, now, onError } = deps
  const startedAt = now()
  /** Accounts that are being loaded, or were loaded a short time ago, and until when they are not loaded again. */
  const loadedUntil = new Map<number, number>()

  function loadForNext(accountId: number): void {
    if ((loadedUntil.get(accountId) ?? 0) > now()) return
    if (loadedUntil.size >= maxRememberedLoads) loadedUntil.clear()
    loadedUntil.set(accountId, Number.POSITIVE_INFINITY)
    hooks
      .load([accountId])
      .catch(onError)
      .finally(() => {
        const account = hooks.get(accountId)
        const hasMany = account !== undefined && account.hooks.size > maxLightHooks
        loadedUntil.set(accountId, now() + (hasMany ? minLoadIntervalOfManyMs : minLoadIntervalMs))
      })
  }

  return {
    place(events) {
      const target = chooseTarget()
      if (target === undefined) return undefined
      const budget = createBudget(target, now() - startedAt >= withoutExpressionsMs)
      const stopsVersion = hooks.stopsVersion()
      const matches = events.map((event) => {
        if (event.testHookId !== undefined || event.data.length > maxCharacters) return undefined
        const account = hooks.get(event.accountId)
        if (account === undefined) loadForNext(event.accountId)
        if (account === undefined || !isSimple(account)) return undefined
        const catalog = eventTypes.current()
        if (!catalog.types.includes(event.type)) return undefined
        try {
          const matching = match(event, account, catalog.traitsOf(event.type), budget)
          const isReceivable = matching?.every(
            (hook) => hook.enabled && hooks.findStop(event.accountId, hook) === undefined,
          )
          if (matching === undefined || !isReceivable || !budget.take(event, matching)) return undefined
          return { version: account.version, hookIds: matching.map(({ id }) => id) }
        } catch (error) {
          // A worker counts the failure and parks the event after some tries.
          onError(error)
          return undefined
        }
      })
      return { target, stopsVersion, matches }
    },
    refresh(accountIds) {
      for (const accountId of new Set(accountIds)) loadForNext(accountId)
    },
  }
}

function isSimple({ isSteady, hooks }: AccountHooks): boolean {
  return isSteady && hooks.size <= maxLightHooks
}

/** What one commit may spend, and each account of it. */
interface Budget {
  usesExpressions: boolean
  /** Units left for filters on one event of the account. */
  unitsFor: (accountId: number) => number
  spend: (accountId: number, units: number) => void
  /** Whether a filter that costs this much may be compiled. Counts it. */
  compile: (accountId: number, units: number) => boolean
  /** Takes the room for the deliveries of an event, if there is enough. */
  take: (event: IncomingEvent, matching: readonly CachedHook[]) => boolean
}

function createBudget(target: HandOffTarget, usesExpressions: boolean): Budget {
  const accounts = new Map<number, { units: number; deliveries: number }>()
  const byHook = new Map<number, number>()
  let unitsLeft = maxUnitsPerCommit
  let longCompiled = 0
  let room = target.room()
  let bytesLeft = target.maxBytes()

  function ofAccount(accountId: number): { units: number; deliveries: number } {
    const existing = accounts.get(accountId)
    if (existing !== undefined) return existing
    const added = { units: maxUnitsPerAccount, deliveries: maxDeliveriesPerAccount }
    accounts.set(accountId, added)
    return added
  }

  return {
    usesExpressions,
    unitsFor: (accountId) => Math.min(maxUnitsPerEvent, unitsLeft, ofAccount(accountId).units),
    spend(accountId, units) {
      unitsLeft -= units
      ofAccount(accountId).units -= units
    },
    compile(accountId, units) {
      if (units > this.unitsFor(accountId)) return longCompiled++ < maxLongCompiledPerCommit
      this.spend(accountId, units)
      return true
    },
    take({ accountId, data }, matching) {
      const account = ofAccount(accountId)
      const bytes = maxBytesOf(data, matching.length)
      if (matching.length > Math.min(room, account.deliveries) || bytes > bytesLeft) return false
      if (!matching.every((hook) => (byHook.get(hook.id) ?? 0) < target.roomOf(accountId, hook))) return false
      room -= matching.length
      bytesLeft -= bytes
      account.deliveries -= matching.length
      for (const { id } of matching) byHook.set(id, (byHook.get(id) ?? 0) + 1)
      return true
    },
  }
}

/** Returns the matching hooks, unless deciding costs more than the budget allows. Without filters it costs nothing. */
function match(
  event: IncomingEvent,
  account: AccountHooks,
  traits: EventTraits,
  budget: Budget,
): CachedHook[] | undefined {
  const all = [...account.hooks.values()]
  // The id and the time are known after the commit only, so no filter that reads them is evaluated.
  const input = filterInput({ ...event, id: '', acceptedAt: new Date(0) }, traits)
  if (all.every(({ filter, eventType }) => filter === null && !isPartName(eventType)))
    return all.filter((hook) => matchesType(hook, input))
  const parseUnits = event.data.length * parseUnitsPerCharacter
  const maxUnits = budget.unitsFor(event.accountId) - parseUnits
  if (maxUnits <= 0) return undefined
  const candidates = all.filter((hook) => matchesType(hook, input))
  const areReadable = candidates.every(
    ({ filter }) => filter === null || isReadable(filter, event.accountId, budget),
  )
  const matched = areReadable ? matchQuickly(candidates, input, maxUnits) : undefined
  budget.spend(
    event.accountId,
    (input.isParsed() ? parseUnits : 0) + (matched?.units ?? (areReadable ? maxUnits : 0)),
  )
  if (matched === undefined || matched.tooExpensive + matched.unreadable.length > 0) return undefined
  return matched.matching
}

/** Whether a filter is compiled, and can be evaluated before the event is committed. */
function isReadable(text: string, accountId: number, budget: Budget): boolean {
  if (isExpression(text) && !budget.usesExpressions) return false
  const units = unitsToCompile(text)
  if (units > 0 && !budget.compile(accountId, units)) return false
  const { filter } = cachedFilter(text)
  return filter?.kind === 'values' || (filter?.kind === 'cel' && !filter.readsCommit)
}
