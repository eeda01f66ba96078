/**
 * `npm run prove -- import`: imports many accounts and webhooks, kills the import in the middle and runs it again. Every
 * record must exist once, with its version and one entry in the audit log. An export must contain every record.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { baseEnv } from '../../../dev/base-env.ts'
import { builtServer } from '../../../dev/build-server.ts'
import { startServices } from '../../../dev/services.ts'
import { createCleanup } from '../support/cleanup.ts'
import { createBenchDatabase } from '../support/database.ts'

/** Twice the index of a million webhooks, which takes about 100 MB beside Node itself. */
const maxMemoryMb = 512

interface Size {
  accounts: number
  hooks: number
}

interface Run {
  code: number | null
  output: string
  seconds: number
  peakMb: number
}

export async function proveImport(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      accounts: { type: 'string', default: '100000' },
      hooks: { type: 'string', default: '1000000' },
      smoke: { type: 'boolean', default: false },
    },
  })
  const size = values.smoke
    ? { accounts: 2_000, hooks: 20_000 }
    : { accounts: Number(values.accounts), hooks: Number(values.hooks) }
  const cleanup = createCleanup()
  try {
    const violations = await execute(size, cleanup.push)
    for (const violation of violations) console.log(`  ✗ ${violation}`)
    console.log(`\nimport: ${violations.length === 0 ? 'passed' : 'FAILED'}`)
    if (violations.length > 0) process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}

async function execute(size: Size, addCleanup: (step: () => unknown) => void): Promise<string[]> {
  const { DATABASE_URL } = await startServices(() => {})
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_prove_import')
  addCleanup(drop)
  const folder = await mkdtemp(join(tmpdir(), 'hookline-import-'))
  addCleanup(() => rm(folder, { recursive: true }))
  const file = join(folder, 'import.jsonl')
  await pipeline(Readable.from(generate(size)), createWriteStream(file))
  const records = size.accounts * 3 + size.hooks
  console.log(`${records} records, ${Math.round((await stat(file)).size / 1e6)} MB`)

  const env = { DATABASE_URL: url.href, MASTER_KEY: randomBytes(32).toString('base64') }
  const violations: string[] = []
  const check = (isTrue: boolean, violation: string): void => {
    if (!isTrue) violations.push(violation)
  }
  const step = async (name: string, run: Promise<Run>, expectedCode: number | null): Promise<Run> => {
    const done = await run
    console.log(
      `${name}: ${done.seconds.toFixed(1)} s, ${Math.round(records / done.seconds)} records/s, peak memory ${done.peakMb} MB`,
    )
    check(done.code === expectedCode, `${name}: exit code ${done.code}: ${done.output.slice(0, 500)}`)
    check(done.peakMb <= maxMemoryMb, `${name}: peak memory above ${maxMemoryMb} MB`)
    return done
  }

  await step('dry run', admin(env, ['import', file, '--dry-run']), 0)
  check((await countRows(client, 'hooks')) === 0, 'the dry run wrote webhooks')

  const killed = admin(env, ['import', file], async (child) => {
    while (child.exitCode === null && (await countRows(client, 'hooks')) < size.hooks / 2) await sleep(20)
    child.kill('SIGKILL')
  })
  await step('import, killed in the middle', killed, null)
  const imported = await countRows(client, 'hooks')
  check(imported > 0 && imported < size.hooks, `the kill was not in the middle: ${imported} webhooks`)

  const resumed = await step('import, resumed', admin(env, ['import', file, '--json']), 0)
  const counts = resumed.code === 0 ? JSON.parse(resumed.output).records : undefined
  check(counts?.hook.unchanged === imported, `resumed with ${counts?.hook.unchanged} of ${imported} webhooks`)
  check(counts?.hook.new === size.hooks - imported, `added ${counts?.hook.new} webhooks`)

  for (const [table, expected] of Object.entries({
    accounts: size.accounts,
    logins: size.accounts,
    keys: size.accounts,
    hooks: size.hooks,
    hook_versions: size.hooks,
    "audit WHERE action = 'account.import'": size.accounts,
  })) {
    const actual = await countRows(client, table)
    check(actual === expected, `${table}: ${actual} rows, expected ${expected}`)
  }
  const { rows } = await client.query<{ next: string }>("SELECT nextval('hooks_id_seq') AS next")
  check(Number(rows[0]?.next) === size.hooks + 1, `the next webhook id is ${rows[0]?.next}`)

  const exported = join(folder, 'export.jsonl')
  await step('export with secrets', admin(env, ['export', exported, '--with-secrets']), 0)
  const repeated = await step('import, repeated', admin(env, ['import', exported, '--json']), 0)
  const again = repeated.code === 0 ? JSON.parse(repeated.output).records : undefined
  check(again?.hook.unchanged === size.hooks, `the export has ${again?.hook.unchanged} unchanged webhooks`)
  check(again?.key.unchanged === size.accounts, `the export has ${again?.key.unchanged} unchanged keys`)
  const second = join(folder, 'second.jsonl')
  await step('second export', admin(env, ['export', second, '--with-secrets']), 0)
  check((await digestOf(exported)) === (await digestOf(second)), 'two exports differ')
  return violations
}

function* generate({ accounts, hooks }: Size): Generator<string> {
  yield '{"format":"hookline","version":1}\n'
  const hooksPerAccount = hooks / accounts
  for (let account = 1; account <= accounts; account++) {
    const lines: object[] = [
      { kind: 'account', id: account, name: `Customer ${account}`, created_at: '2020-01-31T12:00:00Z' },
      { kind: 'login', account_id: account, alias: `user-${account}`, email: `user-${account}@example.com` },
      account % 2 === 0
        ? { kind: 'key', account_id: account, name: 'server', key: randomBytes(32).toString('hex') }
        : { kind: 'key', account_id: account, name: 'server', key_sha256: randomBytes(32).toString('hex') },
    ]
    for (let index = 0; index < hooksPerAccount; index++)
      lines.push({
        kind: 'hook',
        account_id: account,
        id: (account - 1) * hooksPerAccount + index + 1,
        target_url: `https://receiver-${account}.example.com/webhooks/${index}`,
        event_type: ['sms_mo', 'dlr', 'all', 'voice_status'][index % 4],
        request_method: 'JSON',
        event_filter: index % 3 === 0 ? `4917${account}` : null,
        headers: index % 2 === 0 ? `Authorization: Bearer ${account}-${index}` : '',
        created_at: '2020-02-01T12:00:00Z',
      })
    yield lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  }
}

/** Runs the admin tool as a process and measures its time and memory. */
async function admin(
  env: Record<string, string>,
  args: string[],
  alongside: (child: ChildProcess) => Promise<void> = async () => {},
): Promise<Run> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [builtServer, 'admin', ...args], { env: { ...baseEnv, ...env } })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk))
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  let peakMb = 0
  const measuring = (async () => {
    while (child.exitCode === null && child.signalCode === null) {
      peakMb = Math.max(peakMb, await peakMemoryMb(child.pid))
      await sleep(100)
    }
  })()
  await alongside(child)
  const code = await closed
  await measuring
  return { code, output, seconds: (performance.now() - startedAt) / 1_000, peakMb }
}

/** Returns 0 where the system does not report it. */
async function peakMemoryMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
}

async function countRows(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${table}`)
  return Number(rows[0]?.count)
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
