/**
 * The hooks of accounts as route and deliver need them: headers opened, secrets derived. Kept in
 * memory with the version they were read at, and beside them the stops of operators with theirs. The memory is an
 * optimisation: whoever uses it compares both versions in its own statement and asks for a reload when one is another.
 * Each hook is loaded by itself: one that cannot be is set aside, and keeps no other from being delivered. Of an account in
 * memory, only the hooks that have changed are loaded again: an account with a thousand may change one every moment.
 */
import { createSecretKey, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import { plainArray, wordArray } from '../db/arrays.ts'
import { type Database, isRefused, type Trx } from '../db/database.ts'
import { readStops } from '../db/stops.ts'
import { splitHeaders } from '../model/custom-headers.ts'
import { cachedFilter } from '../model/filter-cache.ts'
import { type EventType, eventTypes, type RequestMethod, requestMethods } from '../model/hook.ts'
import type { HookProblem } from '../model/hook-problem.ts'
import { indexStops, type Stop } from '../model/stop.ts'
import { createBatcher } from '../ops/batch.ts'
import { mapInSlices } from '../ops/slices.ts'
import type { Vault } from '../vault/vault.ts'
import type { LoadReport } from './hook-problems.ts'
import { openHeaders } from './hook-record.ts'
import { recordUses } from './version-uses.ts'

export interface DeliveryHook {
  id: number
  targetUrl: string
  callUrl: string
  /** Of the address, with its port: what hooks of one receiver have in common. */
  host: string
  eventType: EventType
  requestMethod: RequestMethod
  filter: string | null
  headers: ReadonlyArray<{ name: string; value: string }>
  enabled: boolean
  /** Null: as fast as the receiver answers. */
  mostPerSecond: number | null
  /** Newest first; two while a rotation overlaps. */
  secrets: readonly KeyObject[]
  /** Of its row in the database. */
  rowVersion: string
}

/** A hook that cannot be used now. Its deliveries wait. */
interface UnloadableHook {
  id: number
  eventType: EventType
  enabled: boolean
  problem: HookProblem
  filter: string | null
}

export interface AccountHooks {
  version: string
  /** Whether they stay as they are while the version does; secrets that are being rotated and problems do not. */
  isSteady: boolean
  hooks: ReadonlyMap<number, DeliveryHook>
  unloadable: ReadonlyMap<number, UnloadableHook>
  /** Of the hooks, those whose filter is known not to compile: what they match is decided when it does. */
  unreadableFilters: ReadonlySet<number>
  /** Of the account, for the signature that existing receivers verify. */
  signatureKey: KeyObject
}

export interface DeliveryHooks {
  /** What is in memory; undefined: load it first. */
  get: (accountId: number) => AccountHooks | undefined
  load: (accountIds: Iterable<number>) => Promise<void>
  /** For hooks that have changed: they are loaded when they are needed next. */
  forget: (accountId: number) => void
  /** Of the stops in memory. */
  stopsVersion: () => string
  /** Filters are compiled when events are matched, so that is where it shows that one does not. */
  reportUnreadableFilters: (accountId: number, hookIds: readonly number[]) => void
  findStop: (accountId: number, hook: Pick<DeliveryHook, 'id' | 'host'>) => Stop | undefined
}

const mostAccounts = 20_000
const maxAccountsPerLoad = 500
const maxLoads = 4
const rotationOverlapMs = 24 * 60 * 60 * 1_000

interface Row {
  accountId: number
  version: string
  id: number | null
  rowVersion: string
  /** Whether the hook in memory is this row; then the columns of the hook are null. */
  isKnown: boolean
  targetUrl: string
  callUrl: string
  eventType: string
  requestMethod: string
  eventFilter: string | null
  headers: Buffer | null
  enabled: boolean
  mostPerSecond: number | null
  secretGeneration: number
  isRotating: boolean
  /** What workers have reported of it. */
  problem: string | null
  stopsVersion: string
}

export function createDeliveryHooks(
  db: Database,
  vault: Vault,
  {
    recordsUse = false,
    onReport = () => {},
  }: {
    /** Whether events are matched or delivered with what is loaded, so that its history must stay. */
    recordsUse?: boolean
    onReport?: (report: LoadReport) => void
  } = {},
): DeliveryHooks {
  const accounts = new Map<number, AccountHooks & { unreadableFilters: Set<number> }>()
  let stops = { version: '-1', ...indexStops([]) }

  async function loadStops(version: string): Promise<void> {
    if (version === stops.version) return
    const read = await readStops(db)
    // Of two loads at once, the one that read earlier may come back later.
    if (BigInt(read.version) >= BigInt(stops.version))
      stops = { version: read.version, ...indexStops(read.stops) }
  }

  // Many ask for the same account at once, and one with a thousand hooks takes a while to load: they share a load that
  // begins after they asked. What has not changed is not loaded again.
  const refresh = createBatcher(
    async (accountIds: number[]) => {
      await loadAll(await changedAmong([...new Set(accountIds)]))
      return accountIds.map(() => true)
    },
    { mostItems: maxAccountsPerLoad, mostRuns: maxLoads, isRefusal: isRefused },
  )

  /** Returns the accounts whose hooks must be loaded; brings the stops up to date for the others. */
  async function changedAmong(accountIds: readonly number[]): Promise<number[]> {
    const known = accountIds.filter((id) => accounts.get(id)?.isSteady === true)
    if (known.length === 0) return [...accountIds]
    const { rows } = await sql<{ stopsVersion: string; unchanged: number[] }>`/* kept */
      SELECT (SELECT version FROM stops_version) AS stops_version, ARRAY(
        SELECT known.id FROM unnest(
          ${plainArray(known)}::integer[],
          ${wordArray(known.map((id) => accounts.get(id)?.version ?? '-1'))}::bigint[]
        ) AS known (id, version) JOIN accounts ON accounts.id = known.id AND hooks_version = version
      ) AS unchanged
    `.execute(db)
    await loadStops(rows[0]?.stopsVersion ?? '0')
    const unchanged = new Set(rows[0]?.unchanged)
    return accountIds.filter((id) => !unchanged.has(id))
  }

  async function loadAll(wanted: readonly number[]): Promise<void> {
    if (wanted.length === 0) return
    const known = wanted.flatMap((id) => [...(accounts.get(id)?.hooks.values() ?? [])].filter(isKeepable))
    const knownById = new Map(known.map((hook) => [hook.id, hook]))
    const rows = await readRows(db, wanted, known)
    if (recordsUse) await recordUses(db, rows)
    await loadStops(rows[0]?.stopsVersion ?? '0')
    if (accounts.size > mostAccounts) accounts.clear()
    const report: LoadReport = { unloadable: [], loadable: [] }
    for (const [accountId, own] of Map.groupBy(rows, (row) => row.accountId)) {
      const version = own[0]?.version ?? '0'
      const loadedHooks = await mapInSlices(own, (row) => {
        if (row.id === null) return undefined
        const inMemory = row.isKnown && !row.isRotating ? knownById.get(row.id) : undefined
        return { row, loaded: inMemory ?? loadHook(row, row.id, vault) }
      })
      // Of two loads at once, the one that read earlier may come back later.
      if (BigInt(accounts.get(accountId)?.version ?? 0) > BigInt(version)) continue
      const hooks = new Map<number, DeliveryHook>()
      const unloadable = new Map<number, UnloadableHook>()
      const unreadableFilters = new Set<number>()
      for (const { row, loaded } of loadedHooks.filter((one) => one !== undefined)) {
        if ('problem' in loaded) unloadable.set(loaded.id, loaded)
        else hooks.set(loaded.id, loaded)
        const name = { accountId, hookId: loaded.id }
        if ('problem' in loaded && loaded.problem !== row.problem)
          report.unloadable.push({ ...name, problem: loaded.problem })
        if ('problem' in loaded || row.problem === null) continue
        if (row.problem === 'filter' && !isReadable(loaded.filter)) unreadableFilters.add(loaded.id)
        else report.loadable.push(name)
      }
      const key = createSecretKey(signatureKey(vault, accountId), 'utf8')
      const isSteady =
        unloadable.size + unreadableFilters.size === 0 && !own.some(({ isRotating }) => isRotating)
      accounts.set(accountId, {
        version,
        isSteady,
        hooks,
        unloadable,
        unreadableFilters,
        signatureKey: key,
      })
    }
    if (report.unloadable.length + report.loadable.length > 0) onReport(report)
  }

  return {
    get: (accountId) => accounts.get(accountId),
    forget: (accountId) => accounts.delete(accountId),
    stopsVersion: () => stops.version,
    findStop: (accountId, hook) => stops.find(accountId, hook),
    reportUnreadableFilters(accountId, hookIds) {
      const reported = accounts.get(accountId)?.unreadableFilters
      const unloadable = hookIds.filter((hookId) => reported?.has(hookId) === false)
      if (unloadable.length === 0) return
      for (const hookId of unloadable) reported?.add(hookId)
      onReport({
        unloadable: unloadable.map((hookId) => ({ accountId, hookId, problem: 'filter' })),
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
  known: readonly DeliveryHook[],
  hookId: number | null = null,
): Promise<Row[]> {
  // Version and hooks in one statement: they belong together. Every change of a row gives it another xmin.
  const { rows } = await sql<Row>`
    SELECT accounts.id AS account_id, accounts.hooks_version AS version, hooks.id, hooks.xmin::text AS row_version,
           coalesce(hooks.xmin::text = known.row_version, false) AS is_known, changed.*,
           coalesce(hooks.secret_rotated_at > now() - make_interval(secs => ${rotationOverlapMs / 1_000}), false)
             AS is_rotating,
           hook_problems.problem, (SELECT version FROM stops_version) AS stops_version
    FROM accounts
    LEFT JOIN hooks ON hooks.account_id = accounts.id AND (${hookId}::integer IS NULL OR hooks.id = ${hookId})
    LEFT JOIN unnest(
      ${plainArray(known.map(({ id }) => id))}::integer[],
      ${wordArray(known.map(({ rowVersion }) => rowVersion))}::text[]
    ) AS known (id, row_version) ON known.id = hooks.id
    LEFT JOIN LATERAL (
      SELECT hooks.target_url, hooks.call_url, hooks.event_type, hooks.request_method, hooks.event_filter, hooks.headers,
             hooks.enabled, hooks.most_per_second, hooks.secret_generation
    ) AS changed ON known.row_version IS DISTINCT FROM hooks.xmin::text
    LEFT JOIN hook_problems ON hook_problems.account_id = accounts.id AND hook_problems.hook_id = hooks.id
    WHERE accounts.id = ANY (${[...accountIds]}::integer[]) ORDER BY accounts.id, hooks.id
  `.execute(db)
  return rows
}

/** One hook as it would be delivered to now; undefined: there is none, or it cannot be loaded. */
export async function loadDeliveryHook(
  db: Database,
  vault: Vault,
  accountId: number,
  hookId: number,
): Promise<{ hook: DeliveryHook; signatureKey: KeyObject } | undefined> {
  const [row] = await readRows(db, [accountId], [], hookId)
  const hook = row === undefined || row.id === null ? undefined : loadHook(row, row.id, vault)
  if (hook === undefined || 'problem' in hook) return undefined
  return { hook, signatureKey: createSecretKey(signatureKey(vault, accountId), 'utf8') }
}

/** Derived, not stored: the vault's key and the ids give the same secret on every process. */
function hookSecret(vault: Vault, accountId: number, hookId: number, generation: number): Buffer {
  return vault.digest(`${accountId}:${hookId}:${generation}`, 'hook-secret')
}

function signatureKey(vault: Vault, accountId: number): string {
  return vault.digest(String(accountId), 'account-signature').toString('hex')
}

interface SigningSecrets {
  secret: string
  signatureKey: string
  rotatedAt: Date | null
  /** Until then deliveries are signed with the secret before this one too. */
  previousUntil: Date | null
}

/** What the owner of a hook gives to its receiver; undefined: there is no such hook. */
export async function signingSecrets(
  db: Database | Trx,
  vault: Vault,
  accountId: number,
  hookId: number,
): Promise<SigningSecrets | undefined> {
  const overlap = sql`make_interval(secs => ${rotationOverlapMs / 1_000})`
  const found = await db
    .selectFrom('hooks')
    .select([
      'secretGeneration',
      'secretRotatedAt',
      sql<Date | null>`CASE WHEN secret_rotated_at > now() - ${overlap} THEN secret_rotated_at + ${overlap} END`.as(
        'previousUntil',
      ),
    ])
    .where('accountId', '=', accountId)
    .where('id', '=', hookId)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const secret = hookSecret(vault, accountId, hookId, found.secretGeneration)
  return {
    secret: `whsec_${secret.toString('base64')}`,
    signatureKey: signatureKey(vault, accountId),
    rotatedAt: found.secretRotatedAt,
    previousUntil: found.previousUntil,
  }
}

function loadHook(row: Row, id: number, vault: Vault): DeliveryHook | UnloadableHook {
  const headers = attempt(() => splitHeaders(openHeaders(row.headers, row.accountId, vault)))
  const host = attempt(() => new URL(row.callUrl).host)
  const eventType = eventTypes.find((known) => known === row.eventType)
  const requestMethod = requestMethods.find((known) => known === row.requestMethod)
  const unloadable = (problem: HookProblem): UnloadableHook => ({
    id,
    // One that is not known here matches no event that is.
    eventType: row.eventType as EventType,
    enabled: row.enabled,
    problem,
    filter: row.eventFilter,
  })
  if (headers === undefined) return unloadable('headers')
  if (host === undefined) return unloadable('target_url')
  if (eventType === undefined || requestMethod === undefined) return unloadable('settings')
  const generations = row.isRotating
    ? [row.secretGeneration, row.secretGeneration - 1]
    : [row.secretGeneration]
  return {
    id,
    targetUrl: row.targetUrl,
    callUrl: row.callUrl,
    host,
    eventType,
    requestMethod,
    filter: row.eventFilter,
    headers,
    enabled: row.enabled,
    mostPerSecond: row.mostPerSecond,
    // Made into keys once: to do it for each signature costs five times the signature.
    secrets: generations.map((generation) =>
      createSecretKey(hookSecret(vault, row.accountId, id, generation)),
    ),
    rowVersion: row.rowVersion,
  }
}

/** The older secret of a hook ends with time, not with a change. */
function isKeepable({ secrets }: DeliveryHook): boolean {
  return secrets.length === 1
}

/** Whether a filter can be compiled. */
export function isReadable(filter: string | null): boolean {
  return filter === null || cachedFilter(filter).filter !== undefined
}

/** Undefined: it could not be done. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
