/**
 * Caches the hooks of accounts for routing and delivery: headers and secrets decrypted. Each entry has the
 * version it was read at, and so have the stops of operators.
 * The cache is an optimization: statements compare both versions and request a reload if one differs. Each hook is
 * loaded separately: one that cannot be loaded does not block the others. Of a cached account only changed hooks are
 * loaded again: an account with a thousand hooks may change one at any moment.
 */
import { createSecretKey, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import { plainArray, wordArray } from '../db/arrays.ts'
import { type Database, isRejected } from '../db/database.ts'
import { readStops } from '../db/stops.ts'
import { splitHeaders } from '../model/custom-headers.ts'
import {
  type DeliveryOptions,
  formFieldStyles,
  retryPolicies,
  signatureUrls,
} from '../model/delivery-options.ts'
import { cachedFilter } from '../model/filter/filter-cache.ts'
import { type RequestMethod, requestMethods } from '../model/hook.ts'
import type { HookProblem } from '../model/hook-problem.ts'
import { indexStops, type Stop } from '../model/stop.ts'
import { createBatcher } from '../runtime/batch.ts'
import { orUndefined } from '../runtime/or-undefined.ts'
import { mapInSlices } from '../runtime/slices.ts'
import type { Vault } from '../vault/vault.ts'
import type { LoadReport } from './hook-problems.ts'
import { openHeaders, registeredName } from './hook-record.ts'
import {
  type HookSecretRow,
  isSecretRotating,
  openSecrets,
  secretsChangeInMs,
  signingKeyColumns,
  signingKeyObjects,
  type SigningKeyRow,
} from './open-secrets.ts'
import { recordUses } from './version-uses.ts'

export interface CachedHook extends DeliveryOptions {
  id: number
  targetUrl: string
  callUrl: string
  /** Host and port of the URL, shared by all hooks of one receiver. */
  host: string
  eventType: string
  requestMethod: RequestMethod
  filter: string | null
  headers: ReadonlyArray<{ name: string; value: string }>
  enabled: boolean
  /** Null: no rate limit. */
  maxPerSecond: number | null
  /** Newest first. There are two while a rotation overlaps. */
  secrets: readonly KeyObject[]
  /** The version of the database row. */
  rowVersion: string
}

/** A hook that cannot be loaded. Its deliveries wait. */
interface UnloadableHook {
  id: number
  eventType: string
  enabled: boolean
  problem: HookProblem
  filter: string | null
}

export interface AccountHooks {
  version: string
  /**
   * Whether the entry stays valid while the version does. Problems change without a version.
   */
  isSteady: boolean
  hooks: ReadonlyMap<number, CachedHook>
  unloadable: ReadonlyMap<number, UnloadableHook>
  /** Hooks whose filter is known not to compile. Their matches are decided once it does. */
  unreadableFilters: ReadonlySet<number>
  /** For the signature that existing receivers verify: the account's current key, and during a rotation the next one. */
  signingKeys: readonly KeyObject[]
}

export interface HookCache {
  /** Returns the cached hooks; undefined if they must be loaded first. */
  get: (accountId: number) => AccountHooks | undefined
  load: (accountIds: Iterable<number>) => Promise<void>
  /** Marks the hooks of an account as changed: they are loaded on next use. */
  invalidate: (accountId: number) => void
  /** The version of the cached stops. */
  stopsVersion: () => string
  /** Reports filters that do not compile. Matching compiles filters, so it detects them. */
  reportUnreadableFilters: (accountId: number, hookIds: readonly number[]) => void
  findStop: (accountId: number, hook: Pick<CachedHook, 'id' | 'host'>) => Stop | undefined
}

interface CachedAccount extends AccountHooks {
  /** Some hooks have changed. The next load keeps the others. */
  isInvalid: boolean
  /** On the monotonic clock. The secrets in effect change then. */
  expiresAt: number
  unreadableFilters: Set<number>
}

const maxAccounts = 20_000
const maxAccountsPerLoad = 500
const maxLoads = 4

interface Row extends HookSecretRow, SigningKeyRow {
  accountId: number
  version: string
  id: number | null
  rowVersion: string
  /** Whether the cached hook is this row. Then the hook's columns are null, unless its secret is in rotation. */
  isCached: boolean
  targetUrl: string
  callUrl: string
  eventType: string
  requestMethod: string
  eventFilter: string | null
  headers: Buffer | null
  enabled: boolean
  maxPerSecond: number | null
  formFields: string
  retryPolicy: string
  acceptHeader: boolean
  traceHeader: boolean
  signatureUrl: string
  secretsChangeInMs: number | null
  /** The problem that workers have reported. */
  problem: string | null
  /** Whether it is recorded that the account's hooks of this version were used. */
  isUsed: boolean
  stopsVersion: string
}

export function createHookCache(
  db: Database,
  vault: Vault,
  {
    recordsUse = false,
    onReport = () => {},
  }: {
    /** Whether events are matched or delivered with the loaded versions, so their history must stay. */
    recordsUse?: boolean
    onReport?: (report: LoadReport) => void
  } = {},
): HookCache {
  const accounts = new Map<number, CachedAccount>()
  let stops = { version: '-1', ...indexStops([]) }

  function get(accountId: number): CachedAccount | undefined {
    const entry = accounts.get(accountId)
    return entry === undefined || entry.isInvalid || performance.now() >= entry.expiresAt ? undefined : entry
  }

  async function loadStops(version: string): Promise<void> {
    if (version === stops.version) return
    const read = await readStops(db)
    // Of two concurrent loads, the one that read first may return last.
    if (BigInt(read.version) >= BigInt(stops.version))
      stops = { version: read.version, ...indexStops(read.stops) }
  }

  // Many callers request the same account concurrently, and an account with a thousand hooks takes a while to load.
  // They share a load that starts after their request. Unchanged accounts are not loaded again.
  const refresh = createBatcher(
    async (accountIds: number[]) => {
      await loadAll(await changedAmong([...new Set(accountIds)]))
      return accountIds.map(() => true)
    },
    { maxBatchSize: maxAccountsPerLoad, maxConcurrentRuns: maxLoads, isRejection: isRejected },
  )

  /** Returns the accounts whose hooks must be loaded. Updates the stops for the others. */
  async function changedAmong(accountIds: readonly number[]): Promise<number[]> {
    const cached = accountIds.filter((id) => get(id)?.isSteady === true)
    if (cached.length === 0) return [...accountIds]
    const { rows } = await sql<{ stopsVersion: string; unchanged: number[] }>`/* prepared */
      SELECT (SELECT version FROM stops_version) AS stops_version, ARRAY(
        SELECT cached.id FROM unnest(
          ${plainArray(cached)}::integer[],
          ${wordArray(cached.map((id) => accounts.get(id)?.version ?? '-1'))}::bigint[]
        ) AS cached (id, version) JOIN accounts ON accounts.id = cached.id AND hooks_version = version
      ) AS unchanged
    `.execute(db)
    await loadStops(rows[0]?.stopsVersion ?? '0')
    const unchanged = new Set(rows[0]?.unchanged)
    return accountIds.filter((id) => !unchanged.has(id))
  }

  async function loadAll(requested: readonly number[]): Promise<void> {
    if (requested.length === 0) return
    const cached = requested.flatMap((id) => [...(accounts.get(id)?.hooks.values() ?? [])].filter(isReusable))
    const cachedById = new Map(cached.map((hook) => [hook.id, hook]))
    const readAt = performance.now()
    const rows = await readRows(db, requested, cached)
    // Another worker has recorded most of them, or this one before a restart.
    if (recordsUse) {
      const unrecorded = rows.filter(({ isUsed }) => !isUsed)
      await recordUses(db, unrecorded)
    }
    await loadStops(rows[0]?.stopsVersion ?? '0')
    if (accounts.size > maxAccounts) accounts.clear()
    const report: LoadReport = { unloadable: [], loadable: [] }
    // Accounts with few hooks are cached before one with a thousand is decrypted.
    const rowsByAccount = [...Map.groupBy(rows, (row) => row.accountId)]
    for (const [accountId, accountRows] of rowsByAccount.toSorted(([, a], [, b]) => a.length - b.length)) {
      const version = accountRows[0]?.version ?? '0'
      const signingKeys = loadSigningKeys(accountRows, vault)
      const loadedHooks = await mapInSlices(accountRows, (row) => {
        if (row.id === null) return undefined
        const inMemory = row.isCached && !row.isRotating ? cachedById.get(row.id) : undefined
        const loaded = inMemory ?? loadHook(row, row.id, vault)
        return { row, loaded: signingKeys.length === 0 ? unloadable(loaded, 'secret') : loaded }
      })
      // Of two concurrent loads, the one that read first may return last.
      if (BigInt(accounts.get(accountId)?.version ?? 0) > BigInt(version)) continue
      const hooks = new Map<number, CachedHook>()
      const unloadableHooks = new Map<number, UnloadableHook>()
      const unreadableFilters = new Set<number>()
      for (const { row, loaded } of loadedHooks.filter((hook) => hook !== undefined)) {
        if ('problem' in loaded) unloadableHooks.set(loaded.id, loaded)
        else hooks.set(loaded.id, loaded)
        const name = { accountId, hookId: loaded.id }
        if ('problem' in loaded && loaded.problem !== row.problem)
          report.unloadable.push({ ...name, problem: loaded.problem })
        if ('problem' in loaded || row.problem === null) continue
        if (row.problem === 'filter' && !isReadable(loaded.filter)) unreadableFilters.add(loaded.id)
        else report.loadable.push(name)
      }
      const isSteady = unloadableHooks.size + unreadableFilters.size === 0
      accounts.set(accountId, {
        version,
        isSteady,
        isInvalid: false,
        expiresAt: readAt + earliestChange(accountRows),
        hooks,
        unloadable: unloadableHooks,
        unreadableFilters,
        signingKeys,
      })
    }
    if (report.unloadable.length + report.loadable.length > 0) onReport(report)
  }

  return {
    get,
    invalidate(accountId) {
      const entry = accounts.get(accountId)
      if (entry !== undefined) entry.isInvalid = true
    },
    stopsVersion: () => stops.version,
    findStop: (accountId, hook) => stops.find(accountId, hook),
    reportUnreadableFilters(accountId, hookIds) {
      const reported = accounts.get(accountId)?.unreadableFilters
      const unreadable = hookIds.filter((hookId) => reported?.has(hookId) === false)
      if (unreadable.length === 0) return
      for (const hookId of unreadable) reported?.add(hookId)
      onReport({
        unloadable: unreadable.map((hookId) => ({ accountId, hookId, problem: 'filter' })),
        loadable: [],
      })
    },
    async load(accountIds) {
      await Promise.all([...new Set(accountIds)].map(refresh))
    },
  }
}

async function readRows(
  db: Database,
  accountIds: readonly number[],
  cached: readonly CachedHook[],
  hookId: number | null = null,
): Promise<Row[]> {
  // Version and hooks in one statement, so they are consistent. Every change of a row changes its xmin. Cached
  // versions are looked up in an object: as a joined list, each of a thousand would be compared with a thousand.
  const cachedVersions = JSON.stringify(
    Object.fromEntries(cached.map(({ id, rowVersion }) => [id, rowVersion])),
  )
  const { rows } = await sql<Row>`/* prepared */
    SELECT accounts.id AS account_id, accounts.hooks_version AS version, hooks.id, hooks.xmin::text AS row_version,
           coalesce(hooks.xmin::text = cached.versions ->> hooks.id::text, false) AS is_cached, changed.*,
           rotation.is_rotating, ${signingKeyColumns}, ${secretsChangeInMs} AS secrets_change_in_ms,
           hook_problems.problem, uses.is_used, (SELECT version FROM stops_version) AS stops_version
    FROM accounts
    CROSS JOIN LATERAL (
      SELECT EXISTS (SELECT FROM hook_version_uses AS used
                     WHERE used.account_id = accounts.id AND used.version = accounts.hooks_version) AS is_used
    ) AS uses
    CROSS JOIN (SELECT ${cachedVersions}::jsonb AS versions) AS cached
    LEFT JOIN hooks ON hooks.account_id = accounts.id AND (${hookId}::integer IS NULL OR hooks.id = ${hookId})
    CROSS JOIN LATERAL (SELECT ${isSecretRotating} AS is_rotating) AS rotation
    LEFT JOIN LATERAL (
      SELECT hooks.target_url, hooks.call_url, ${registeredName('hooks')} AS event_type,
             hooks.request_method, hooks.event_filter, hooks.headers, hooks.enabled, hooks.max_per_second,
             hooks.form_fields, hooks.retry_policy, hooks.accept_header, hooks.trace_header, hooks.signature_url, hooks.secret_generation,
             hooks.secret, hooks.previous_secret
    ) AS changed ON rotation.is_rotating OR cached.versions ->> hooks.id::text IS DISTINCT FROM hooks.xmin::text
    LEFT JOIN hook_problems ON hook_problems.account_id = accounts.id AND hook_problems.hook_id = hooks.id
    WHERE accounts.id = ANY (${[...accountIds]}::integer[]) ORDER BY accounts.id, hooks.id
  `.execute(db)
  return rows
}

/** The id of no hook. */
const noHook = 0

/** Loads one hook as it would be delivered to now; undefined if it does not exist or cannot be loaded. */
export async function loadDeliveryHook(
  db: Database,
  vault: Vault,
  accountId: number,
  hookId: number,
): Promise<{ hook: CachedHook; signingKeys: readonly KeyObject[] } | undefined> {
  const rows = await readRows(db, [accountId], [], hookId)
  const [row] = rows
  const hook = row === undefined || row.id === null ? undefined : loadHook(row, row.id, vault)
  const signingKeys = loadSigningKeys(rows, vault)
  if (hook === undefined || 'problem' in hook || signingKeys.length === 0) return undefined
  return { hook, signingKeys }
}

/** Loads the keys of an account for the signature that existing receivers verify; empty if they cannot be decrypted. */
export async function loadAccountSigningKeys(
  db: Database,
  vault: Vault,
  accountId: number,
): Promise<KeyObject[]> {
  return loadSigningKeys(await readRows(db, [accountId], [], noHook), vault)
}

/** Returns an empty list if the keys cannot be decrypted. The row of an account repeats them for each hook. */
function loadSigningKeys([row]: readonly Row[], vault: Vault): KeyObject[] {
  return row === undefined ? [] : (orUndefined(() => signingKeyObjects(vault, row, row.accountId)) ?? [])
}

function unloadable(
  hook: Pick<CachedHook, 'id' | 'eventType' | 'enabled' | 'filter'>,
  problem: HookProblem,
): UnloadableHook {
  const { id, eventType, enabled, filter } = hook
  return { id, eventType, enabled, filter, problem }
}

function loadHook(row: Row, id: number, vault: Vault): CachedHook | UnloadableHook {
  const headers = orUndefined(() => splitHeaders(openHeaders(row.headers, row.accountId, vault)))
  const host = orUndefined(() => new URL(row.callUrl).host)
  const requestMethod = requestMethods.find((type) => type === row.requestMethod)
  const options = readOptions(row)
  const secrets = orUndefined(() => openSecrets(vault, row, row.accountId, id))
  // An unknown type matches no event.
  const stored = {
    id,
    eventType: row.eventType,
    enabled: row.enabled,
    filter: row.eventFilter,
  }
  if (headers === undefined) return unloadable(stored, 'headers')
  if (host === undefined) return unloadable(stored, 'target_url')
  if (requestMethod === undefined || options === undefined) return unloadable(stored, 'settings')
  if (secrets === undefined) return unloadable(stored, 'secret')
  return {
    id,
    targetUrl: row.targetUrl,
    callUrl: row.callUrl,
    host,
    eventType: row.eventType,
    requestMethod,
    filter: row.eventFilter,
    headers,
    enabled: row.enabled,
    maxPerSecond: row.maxPerSecond,
    ...options,
    secrets: secrets.map((secret) => createSecretKey(secret)),
    rowVersion: row.rowVersion,
  }
}

/** Returns undefined if a newer version has stored a value that this one does not know. */
function readOptions(row: Row): DeliveryOptions | undefined {
  const formFields = formFieldStyles.find((style) => style === row.formFields)
  const retryPolicy = retryPolicies.find((policy) => policy === row.retryPolicy)
  const signatureUrl = signatureUrls.find((url) => url === row.signatureUrl)
  if (formFields === undefined || retryPolicy === undefined || signatureUrl === undefined) return undefined
  return {
    formFields,
    retryPolicy,
    signatureUrl,
    acceptHeader: row.acceptHeader,
    traceHeader: row.traceHeader,
  }
}

/** Returns when the secrets of an account change without a change of a row, in milliseconds from now. */
function earliestChange(rows: readonly Row[]): number {
  return rows.reduce((earliest, row) => Math.min(earliest, row.secretsChangeInMs ?? earliest), Infinity)
}

/** A hook in rotation is not reusable: its older secret expires by time, without a change of the row. */
function isReusable({ secrets }: CachedHook): boolean {
  return secrets.length === 1
}

/** Whether a filter can be compiled. */
export function isReadable(filter: string | null): boolean {
  return filter === null || cachedFilter(filter).filter !== undefined
}
