/**
 * Imports a file in two passes with the same checks. The first writes nothing. The second commits batch by batch, so a
 * run that was interrupted is continued by another run of the same file: records that exist are unchanged and skipped.
 */
import { type FileHandle, open, stat } from 'node:fs/promises'
import { recordImports } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { raiseSequences } from '../../db/id-sequences.ts'
import { compareHooks, insertHooks, prepareHook, type PreparedHook } from '../../hooks/import-hooks.ts'
import type { HookLimits } from '../../hooks/validate-hook.ts'
import {
  compareAccounts,
  type ImportedAccount,
  insertAccounts,
} from '../../identity/accounts/import-accounts.ts'
import { compareLogins, type ImportedLogin, insertLogins } from '../../identity/accounts/import-logins.ts'
import { isUniqueViolation, validateAlias, validateEmail } from '../../identity/accounts/logins.ts'
import { compareKeys, insertKeys, prepareKey, type PreparedKey } from '../../identity/keys/import-keys.ts'
import { canaryAccountName } from '../../model/canary.ts'
import type { EventCatalog } from '../../model/event-type/catalog.ts'
import { ApiError, OperatorError } from '../../model/errors.ts'
import type { ImportComparison } from '../../model/import-comparison.ts'
import { hasErrorCode } from '../../runtime/has-error-code.ts'
import type { Vault } from '../../vault/vault.ts'
import { createLineIndex, type LineIndex } from './line-index.ts'
import type { Progress } from './progress.ts'
import { type Line, readLines } from './read-lines.ts'
import { checkHeader, type ImportRecord, InvalidRecord, parseRecord, type RecordKind } from './records.ts'
import { addError, addWarning, createReport, type ImportReport } from './report.ts'

export interface ImportDeps {
  db: Database
  vault: Vault
  rules: HookLimits
  catalog: EventCatalog
}

export interface PassOptions {
  path: string
  progress: Progress
  /** Path of the file for lines that are not imported. */
  rejects: string | undefined
  /** Undefined: nothing is written to the database. */
  write?: WriteOptions
}

interface WriteOptions {
  /** Without it, an invalid line ends the import. */
  skipInvalid: boolean
  /** Hash of the password that imported logins get. */
  passwordHash: string
  /** Identifies the file in the audit log. */
  file: string
  /** The sequences were raised to these ids. */
  reserved: PassResult['maxIds']
}

export interface PassResult {
  report: ImportReport
  /** SHA-256 of the file. */
  digest: string
  maxIds: { accounts: number; hooks: number }
}

type Prepared =
  | { kind: 'account'; value: ImportedAccount }
  | { kind: 'login'; value: ImportedLogin }
  | { kind: 'key'; value: PreparedKey }
  | { kind: 'hook'; value: PreparedHook }

interface Entry {
  line: Line
  /** Undefined: the line has no known kind. */
  kind: RecordKind | undefined
  record: Prepared | undefined
  /** Why the record is invalid, found before any comparison with the database. */
  problem: string | undefined
}

type Indexes = Record<'accountIds' | 'aliases' | 'emails' | 'keys' | 'hookIds' | 'hooks', LineIndex>

/** State of a pass over the whole file. */
interface Pass {
  indexes: Indexes
  /** Accounts of the file that exist or are created, with the number of their hooks in the file. */
  accounts: Map<number, { hooks: number }>
  /** Accounts whose import is in the audit log. */
  recorded: Set<number>
  report: ImportReport
  maxIds: PassResult['maxIds']
}

/** One commit each. Statements have a timeout of five seconds, and a batch takes a tenth of that. */
const maxBatchSize = 2_000
/** Other callers can take an alias or add the same hook while a batch is written. */
const maxAttempts = 5

/** The second pass replaces the file of the first. An existing file is not overwritten: it may be the import itself. */
async function openRejects({ rejects, write }: PassOptions): Promise<FileHandle | undefined> {
  if (rejects === undefined) return undefined
  try {
    return await open(rejects, write === undefined ? 'wx' : 'w', 0o600)
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST'))
      throw new OperatorError(`${rejects} already exists. Choose another file for --rejects.`)
    throw error
  }
}

/** Checks or imports all lines. */
export async function runPass(deps: ImportDeps, options: PassOptions): Promise<PassResult> {
  const { size } = await stat(options.path)
  const reader = readLines(options.path)
  const rejects = await openRejects(options)
  const pass: Pass = {
    indexes: {
      accountIds: createLineIndex(),
      aliases: createLineIndex(),
      emails: createLineIndex(),
      keys: createLineIndex(),
      hookIds: createLineIndex(),
      hooks: createLineIndex(),
    },
    accounts: new Map(),
    recorded: new Set(),
    report: createReport(),
    maxIds: { accounts: 0, hooks: 0 },
  }
  let records = 0
  const finish = async (entries: Entry[]): Promise<void> => {
    const invalid = await processBatch(deps, options, pass, entries)
    records += entries.length
    if (rejects !== undefined && invalid.length > 0) await rejects.write(invalid.map(rejectLine).join(''))
    options.progress.update(records, size === 0 ? 1 : reader.bytesRead() / size)
  }
  try {
    // The next batch is read and validated while PostgreSQL writes the last one.
    let writing: Promise<void> = Promise.resolve()
    for await (const batch of batchesOf(reader.lines)) {
      const entries = batch.map((line) => prepareEntry(deps, pass, line))
      await writing
      writing = finish(entries)
      // Handled by the next await.
      writing.catch(() => {})
    }
    await writing
  } finally {
    options.progress.done()
    await rejects?.close()
  }
  return { report: pass.report, digest: reader.digest(), maxIds: pass.maxIds }
}

/** Yields the lines after the header in batches. */
async function* batchesOf(chunks: AsyncGenerator<Line[]>): AsyncGenerator<Line[]> {
  let batch: Line[] = []
  let hasHeader = false
  for await (const chunk of chunks)
    for (const line of chunk) {
      if (!hasHeader) {
        readHeader(line)
        hasHeader = true
        continue
      }
      batch.push(line)
      if (batch.length < maxBatchSize) continue
      yield batch
      batch = []
    }
  if (!hasHeader) throw new OperatorError('The file is empty. Its first line must be the header.')
  if (batch.length > 0) yield batch
}

function readHeader(line: Line): void {
  try {
    checkHeader(line.text ?? '')
  } catch (error) {
    throw error instanceof InvalidRecord ? new OperatorError(error.message) : error
  }
}

function prepareEntry(deps: ImportDeps, pass: Pass, line: Line): Entry {
  let kind: RecordKind | undefined
  try {
    if (line.text === undefined) throw new InvalidRecord(line.problem ?? 'The line is unreadable.')
    const record = parseRecord(line.text)
    kind = record.kind
    const prepared = prepareRecord(deps, record)
    rejectRepeated(pass.indexes, prepared, line.number)
    return { line, kind, record: prepared, problem: undefined }
  } catch (error) {
    if (error instanceof InvalidRecord)
      return { line, kind: error.kind ?? kind, record: undefined, problem: error.message }
    if (error instanceof ApiError) return { line, kind, record: undefined, problem: error.message }
    throw error
  }
}

/** Validates a record with the rules of registration. */
function prepareRecord({ rules, vault, catalog }: ImportDeps, record: ImportRecord): Prepared {
  switch (record.kind) {
    case 'account':
      if (record.value.name === canaryAccountName)
        throw new InvalidRecord(`The name "${canaryAccountName}" is reserved.`, 'account')
      return record
    case 'login':
      validateAlias(record.value.alias)
      if (record.value.email !== null) validateEmail(record.value.email)
      return record
    case 'key':
      return { kind: 'key', value: prepareKey(vault, record.value) }
    case 'hook':
      rejectUnknownType(catalog, record.value.eventType)
      return { kind: 'hook', value: prepareHook(rules, vault, record.value) }
  }
}

/** Webhooks of removed types can be imported again from an export. */
function rejectUnknownType({ isHookType, hookTypes }: EventCatalog, type: string): void {
  if (!isHookType(type))
    throw new InvalidRecord(`"event_type" must be one of ${hookTypes.join(', ')}.`, 'hook')
}

/** Rejects values that must be unique and occur in an earlier line. */
function rejectRepeated(indexes: Indexes, record: Prepared, line: number): void {
  const [field, earlier] = findRepeated(indexes, record, line) ?? []
  if (earlier !== undefined) throw new InvalidRecord(`Line ${earlier} has the same ${field}.`, record.kind)
}

type Repeated = [field: string, line: number | undefined]

function findRepeated(indexes: Indexes, { kind, value }: Prepared, line: number): Repeated | undefined {
  const repeated: Repeated[] = []
  switch (kind) {
    case 'account':
      repeated.push(['id', indexes.accountIds.addNumber(value.id, line)])
      break
    case 'login':
      repeated.push(['alias', indexes.aliases.addText(value.alias.toLowerCase(), line)])
      if (value.email !== null)
        repeated.push(['email', indexes.emails.addText(value.email.toLowerCase(), line)])
      break
    case 'key':
      repeated.push(['key', indexes.keys.addDigest(value.digest, line)])
      break
    case 'hook':
      repeated.push(
        ['id', indexes.hookIds.addNumber(value.id, line)],
        [
          'account, URL, type, method, filter and headers',
          indexes.hooks.addDigest(value.fingerprint, line, value.accountId),
        ],
      )
  }
  return repeated.find(([, earlier]) => earlier !== undefined)
}

/** Compares a batch with the database, writes new records and counts all. Returns the invalid ones. */
async function processBatch(
  deps: ImportDeps,
  { write }: PassOptions,
  pass: Pass,
  entries: readonly Entry[],
): Promise<Array<Entry & { problem: string }>> {
  const outcomes =
    write === undefined
      ? await compareBatch(deps, deps.db, pass, entries)
      : await writeBatch(deps, write, pass, entries)
  const invalid: Array<Entry & { problem: string }> = []
  for (const [position, entry] of entries.entries()) {
    const outcome = outcomes[position] ?? 'new'
    if (typeof outcome === 'object') {
      addError(pass.report, entry.kind, { line: entry.line.number, message: outcome.problem })
      invalid.push({ ...entry, problem: outcome.problem })
    } else if (entry.record !== undefined) count(deps, pass, entry.record, outcome, entry.line.number)
  }
  return invalid
}

function count(
  { rules }: ImportDeps,
  { report, maxIds, accounts }: Pass,
  record: Prepared,
  outcome: Exclude<ImportComparison, object>,
  line: number,
): void {
  report.counts[record.kind][outcome]++
  switch (record.kind) {
    case 'account':
      maxIds.accounts = Math.max(maxIds.accounts, record.value.id)
      break
    case 'login':
      if (record.value.email === null)
        addWarning(report, 'Logins without an email, whose password only you can set', line)
      break
    case 'key':
      if (record.value.expiresAt != null && record.value.expiresAt.getTime() < Date.now())
        addWarning(report, 'API keys that have expired', line)
      break
    case 'hook': {
      maxIds.hooks = Math.max(maxIds.hooks, record.value.id)
      if (record.value.callUrl.startsWith('http:')) addWarning(report, 'Webhooks without TLS (http:)', line)
      if (outcome === 'deleted')
        addWarning(report, 'Webhooks that were deleted and are not created again', line)
      const account = accounts.get(record.value.accountId)
      if (account !== undefined && ++account.hooks === rules.hooksPerAccount + 1)
        addWarning(
          report,
          `Accounts with more than ${rules.hooksPerAccount} webhooks, which can add no more`,
          line,
        )
    }
  }
}

async function writeBatch(
  deps: ImportDeps,
  write: WriteOptions,
  pass: Pass,
  entries: readonly Entry[],
): Promise<ImportComparison[]> {
  for (let attempt = 1; ; attempt++)
    try {
      const { outcomes, touched } = await deps.db.transaction().execute(async (trx) => {
        const compared = await compareBatch(deps, trx, pass, entries)
        const first = compared.findIndex((outcome) => typeof outcome === 'object')
        if (first !== -1 && !write.skipInvalid) throw stopped(entries[first]?.line.number, compared[first])
        const added = entries.flatMap(({ record }, position) =>
          record !== undefined && compared[position] === 'new' ? [record] : [],
        )
        return { outcomes: compared, touched: await insertRecords(deps, trx, write, pass, added) }
      })
      for (const id of touched) pass.recorded.add(id)
      return outcomes
    } catch (error) {
      if (attempt === maxAttempts || !isUniqueViolation(error)) throw error
    }
}

function stopped(line: number | undefined, outcome: ImportComparison | undefined): OperatorError {
  const problem = typeof outcome === 'object' ? outcome.problem : ''
  return new OperatorError(
    `Line ${line} became invalid during the import: ${problem} Earlier batches are imported. Fix the line and run the import again.`,
  )
}

/** Returns how each entry compares with the database. Accounts come first, because the other records need them. */
async function compareBatch(
  { vault }: ImportDeps,
  db: Database | Trx,
  pass: Pass,
  entries: readonly Entry[],
): Promise<ImportComparison[]> {
  const outcomes: ImportComparison[] = entries.map(({ problem = '' }) => ({ problem }))
  const accounts = recordsOf(entries, 'account')
  for (const [index, outcome] of (
    await compareAccounts(
      db,
      vault,
      accounts.map(({ value }) => value),
    )
  ).entries()) {
    const { position, value } = accounts[index] ?? { position: -1, value: { id: 0 } }
    outcomes[position] = outcome
    if (typeof outcome === 'string' && !pass.accounts.has(value.id)) pass.accounts.set(value.id, { hooks: 0 })
  }

  const compareRest = async <Kind extends 'login' | 'key' | 'hook'>(
    kind: Kind,
    compare: (values: Array<ValueOf<Kind>>) => Promise<ImportComparison[]>,
  ): Promise<void> => {
    const records = recordsOf(entries, kind)
    const known = records.filter(({ value }) => pass.accounts.has(value.accountId))
    for (const { position, value } of records)
      outcomes[position] = {
        problem: `Account ${value.accountId} has no valid line before this one.`,
      }
    const compared = await compare(known.map(({ value }) => value))
    for (const [index, { position }] of known.entries()) outcomes[position] = compared[index] ?? 'new'
  }
  await compareRest('login', (logins) => compareLogins(db, logins))
  await compareRest('key', (keys) => compareKeys(db, keys))
  await compareRest('hook', (hooks) => compareHooks(db, vault, hooks))
  return outcomes
}

type ValueOf<Kind extends RecordKind> = Extract<Prepared, { kind: Kind }>['value']

function recordsOf<Kind extends RecordKind>(
  entries: readonly Entry[],
  kind: Kind,
): Array<{ position: number; value: ValueOf<Kind> }> {
  return entries.flatMap(({ record }, position) =>
    record?.kind === kind ? [{ position, value: record.value as ValueOf<Kind> }] : [],
  )
}

/** Returns the accounts whose import is now in the audit log. */
async function insertRecords(
  { vault }: ImportDeps,
  trx: Trx,
  { passwordHash, file, reserved }: WriteOptions,
  pass: Pass,
  records: readonly Prepared[],
): Promise<number[]> {
  const valuesOf = <Kind extends RecordKind>(kind: Kind): Array<ValueOf<Kind>> =>
    records.flatMap((record) => (record.kind === kind ? [record.value as ValueOf<Kind>] : []))
  const isOutside =
    valuesOf('account').some(({ id }) => id > reserved.accounts) ||
    valuesOf('hook').some(({ id }) => id > reserved.hooks)
  if (isOutside) throw new OperatorError('The file was changed during the import. Run the import again.')
  const actor = 'operator'
  await insertAccounts(trx, vault, actor, valuesOf('account'))
  await insertLogins(trx, valuesOf('login'), passwordHash)
  await insertKeys(trx, vault, valuesOf('key'))
  await insertHooks(trx, vault, actor, valuesOf('hook'))
  const touched = new Set(
    records.map((record) => (record.kind === 'account' ? record.value.id : record.value.accountId)),
  )
  const unrecorded = [...touched].filter((id) => !pass.recorded.has(id))
  if (unrecorded.length > 0) await recordImports(trx, actor, unrecorded, file)
  return unrecorded
}

function rejectLine({ line, problem }: { line: Line; problem: string }): string {
  return `${JSON.stringify({ line: line.number, reason: problem, text: line.text ?? null })}\n`
}

/** Raises the sequences before the first row with such an id is visible. */
export async function reserveIds({ db }: ImportDeps, { maxIds }: PassResult): Promise<void> {
  await raiseSequences(db, maxIds)
}
