/** What a consumer gets: which events, and the requests that a worker would send for them. */
import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Database } from '../db/database.ts'
import {
  buildRequest,
  headerPairs,
  type RequestHook,
  type RequestView,
} from '../delivery/request/build-request.ts'
import type { FormatFailure } from '../delivery/request/format.ts'
import { matchHook } from '../delivery/matching/match.ts'
import { loadAccountSigningKeys, loadDeliveryHook } from '../hooks/hook-cache.ts'
import { defaultOptions } from '../model/delivery-options.ts'
import { ApiError } from '../model/errors.ts'
import type { EventCatalog } from '../model/event-type/catalog.ts'
import { unitsPerFilter } from '../model/filter/budget.ts'
import { filterInput } from '../model/filter/event-filter.ts'
import type { RequestMethod } from '../model/hook.ts'
import type { CommittedEvent } from '../tail/read-events.ts'
import type { Vault } from '../vault/vault.ts'
import { type Consumer, openConsumerSecret } from './consumer-store.ts'

/** Changes requests for a receiver at another URL, such as on the developer's own machine. */
export interface RequestChanges {
  targetUrl: string | undefined
  requestMethod: RequestMethod | undefined
}

export interface EventSource {
  /** Evaluates the filter of the consumer. Returns its cost too. */
  match: (event: CommittedEvent) => { matches: boolean; units: number }
  /** Returns a reason if the request would be too large to send. */
  build: (event: CommittedEvent, at: number) => RequestView | FormatFailure
}

/** For consumers without a webhook, unless the poll names a URL. The account's signature covers the URL. */
const defaultTargetUrl = 'http://localhost/'

export async function loadSource(
  { db, vault, catalog }: { db: Database; vault: Vault; catalog: EventCatalog },
  consumer: Consumer,
  changes: RequestChanges,
): Promise<EventSource> {
  const { hook, types, signingKeys } = await loadHook({ db, vault }, consumer)
  const targetUrl = changes.targetUrl ?? hook.targetUrl
  const changed: RequestHook = {
    ...hook,
    targetUrl,
    callUrl: changes.targetUrl ?? hook.callUrl,
    requestMethod: changes.requestMethod ?? hook.requestMethod,
  }
  return {
    match(event) {
      if (isTest(event)) return { matches: event.testConsumerId === consumer.id, units: 0 }
      const input = filterInput(event, catalog.traitsOf(event.type))
      return matchHook(types, input, unitsPerFilter(1))
    },
    build(event, at) {
      const testHookId = event.testConsumerId === null ? null : changed.id
      const delivery = { event: { ...event, testHookId }, round: 1, attempts: 0 }
      const request = buildRequest(changed, signingKeys, delivery, at)
      return typeof request === 'string' ? request : { ...request, headers: headerPairs(request.headers) }
    },
  }
}

/** A test event is for one webhook or one consumer. */
function isTest({ testHookId, testConsumerId }: CommittedEvent): boolean {
  return testHookId !== null || testConsumerId !== null
}

interface Loaded {
  hook: RequestHook
  types: { eventType: string; filter: string | null }
  signingKeys: readonly KeyObject[]
}

async function loadHook({ db, vault }: { db: Database; vault: Vault }, consumer: Consumer): Promise<Loaded> {
  const { accountId, hookId } = consumer
  if (hookId !== null) {
    const loaded = await loadDeliveryHook(db, vault, accountId, hookId)
    if (loaded === undefined)
      throw new ApiError('notFound', `Webhook ${hookId} of the consumer was deleted or cannot be loaded.`)
    return { ...loaded, types: loaded.hook }
  }
  return {
    hook: {
      ...defaultOptions,
      id: 0,
      targetUrl: defaultTargetUrl,
      callUrl: defaultTargetUrl,
      requestMethod: consumer.requestMethod,
      headers: [],
      secrets: [createSecretKey(openConsumerSecret(vault, consumer))],
    },
    types: { eventType: consumer.eventType, filter: consumer.eventFilter },
    signingKeys: await loadAccountSigningKeys(db, vault, accountId),
  }
}
