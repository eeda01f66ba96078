/** Imports and exports of the admin CLI, against a database that only the tests use. */
import { spawn } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { baseEnv } from '../../../dev/base-env.ts'
import { builtServer } from '../../../dev/build-server.ts'
import { openDatabase } from '../../src/db/database.ts'
import { vaultKeyStore } from '../../src/db/vault-key-store.ts'
import { openHookSecret, openSigningKey } from '../../src/vault/signing-secrets.ts'
import { openVault } from '../../src/vault/vault.ts'
import { type AdminRun, runAdmin } from '../support/admin-tool.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createImportFolder, header, type ImportFolder, runImport } from '../support/import-file.ts'
import { dumpDatabase } from '../support/stored-data.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const exampleFile = fileURLToPath(new URL('../../../docs/examples/import.jsonl', import.meta.url))

let database: TestDatabase
let settings: Record<string, string>
let folder: ImportFolder
beforeEach(async () => {
  database = await createTestDatabase()
  settings = { DATABASE_URL: database.url.href, MASTER_KEY: randomBytes(32).toString('base64') }
  folder = await createImportFolder()
})
afterEach(async () => {
  await folder.remove()
  await database.drop()
})

const importLines = async (lines: Array<object | string>, ...options: string[]) =>
  runImport(settings, await folder.write(header, ...lines), ...options)
const admin = (...args: string[]): Promise<AdminRun> => runAdmin(settings, args)

const account = { kind: 'account', id: 7, name: 'Seven Ltd' }
const login = { kind: 'login', account_id: 7, alias: 'seven', email: 'seven@example.com' }
const key = { kind: 'key', account_id: 7, name: 'server', key: 'abcdefghijklmnop' }
const hook = {
  kind: 'hook',
  account_id: 7,
  id: 70,
  target_url: 'https://example.com/a',
  event_type: 'sms_mo',
}
const sha256 = hash('sha256', 'another key of the provider', 'hex')
const sha512 = hash('sha512', 'a third key of the provider', 'hex')

/** The first command creates the keys of the vault. */
function withoutVault(dump: string): string {
  return dump
    .split('\n')
    .filter((line) => !line.startsWith('vault_keys'))
    .join('\n')
}

const none = { new: 0, unchanged: 0, deleted: 0, invalid: 0 }

describe('a valid file', () => {
  test('the example of the documentation is stored with all its values', async () => {
    const { code, report } = await runImport(settings, exampleFile)
    expect(code).toBe(0)
    expect(report).toEqual({
      dry_run: false,
      records: {
        account: { ...none, new: 1 },
        login: { ...none, new: 1 },
        key: { ...none, new: 2 },
        hook: { ...none, new: 2 },
      },
      unknown_lines: 0,
      error_count: 0,
      errors: [],
      warnings: [],
    })
    expect(
      await database.query(
        `SELECT id, name, created_at, suspended_at, original_statuses, hooks_version FROM accounts`,
      ),
    ).toEqual([
      {
        id: 4711,
        name: 'Example Ltd',
        created_at: new Date('2021-03-04T09:30:00Z'),
        suspended_at: null,
        original_statuses: true,
        hooks_version: '1',
      },
    ])
    expect(
      await database.query(
        `SELECT account_id, alias, email, created_at, email_verified_at IS NOT NULL AS is_verified FROM logins`,
      ),
    ).toEqual([
      {
        account_id: 4711,
        alias: 'example',
        email: 'dev@example.com',
        created_at: new Date('2021-03-04T09:30:00Z'),
        is_verified: true,
      },
    ])
    expect(
      await database.query(
        `SELECT account_id, name, prefix, imported_as, scopes, allowed_ips::text, expires_at FROM keys ORDER BY id`,
      ),
    ).toEqual([
      {
        account_id: 4711,
        name: 'billing system',
        prefix: 'Zx81',
        imported_as: 'key',
        scopes: ['hooks'],
        allowed_ips: '{127.0.0.0/8,192.0.2.0/24}',
        expires_at: null,
      },
      {
        account_id: 4711,
        name: 'shop',
        prefix: 'Ab12',
        imported_as: 'sha256',
        scopes: ['all'],
        allowed_ips: null,
        expires_at: new Date('2031-01-01T00:00:00Z'),
      },
    ])
    const shape = {
      account_id: 4711,
      target_url: 'https://example.com/webhooks',
      event_type: 'sms_mo',
      request_method: 'JSON',
      event_filter: '491700000001',
      enabled: true,
      has_headers: true,
    }
    const second = {
      ...shape,
      target_url: 'https://example.com/dlr',
      event_type: 'dlr',
      request_method: 'POST',
      event_filter: null,
      has_headers: false,
    }
    const columns =
      'account_id, target_url, event_type, request_method, event_filter, enabled, headers IS NOT NULL AS has_headers'
    expect(await database.query(`SELECT id, created_at, ${columns} FROM hooks ORDER BY id`)).toEqual([
      { id: 90210, created_at: new Date('2021-03-05T10:00:00Z'), ...shape },
      { id: 90211, created_at: expect.any(Date), ...second },
    ])
    expect(
      await database.query(
        `SELECT hook_id, version, change, actor, ${columns} FROM hook_versions ORDER BY hook_id`,
      ),
    ).toEqual([
      { hook_id: 90210, version: '1', change: 'created', actor: 'operator', ...shape },
      { hook_id: 90211, version: '1', change: 'created', actor: 'operator', ...second },
    ])
  })

  test('secrets of the file are kept, and missing ones are random', async () => {
    await runImport(settings, exampleFile)
    const db = openDatabase(database.url, 1, () => {})
    const masterKey = Buffer.from(settings.MASTER_KEY ?? '', 'base64')
    const vault = await openVault(vaultKeyStore(db), { masterKey })
    await db.destroy()
    const [stored] = await database.query<{ signing_key: Buffer }>('SELECT signing_key FROM accounts')
    expect(openSigningKey(vault, stored?.signing_key ?? null, 4711)).toBe(
      '0f6b1d2c3e4a59687786a5b4c3d2e1f00f6b1d2c3e4a59687786a5b4c3d2e1f0',
    )
    const hooks = await database.query<{ id: number; secret: Buffer }>(
      'SELECT id, secret FROM hooks ORDER BY id',
    )
    const [given, random] = hooks.map(({ id, secret }) =>
      openHookSecret(vault, secret, { accountId: 4711, hookId: id, generation: 1 }),
    )
    expect(given?.toString()).toBe('0123456789abcdef0123456789abcdef')
    expect(random).toHaveLength(32)
  })

  test('a dry run reports the same and writes nothing', async () => {
    const before = await dumpDatabase(database)
    const { code, report } = await runImport(settings, exampleFile, '--dry-run')
    expect(code).toBe(0)
    expect(report).toMatchObject({ dry_run: true, records: { hook: { new: 2 } } })
    expect(withoutVault(await dumpDatabase(database))).toBe(withoutVault(before))
    const [sequence] = await database.query('SELECT last_value, is_called FROM hooks_id_seq')
    expect(sequence).toEqual({ last_value: '1', is_called: false })
  })

  test('new ids follow imported ids, and a sequence is never lowered', async () => {
    await importLines([
      { ...account, id: 500 },
      { ...hook, account_id: 500, id: 900 },
    ])
    expect((await admin('account', 'create', '--name', 'Next', '--json')).stdout).toBe('{"account_id":501}\n')
    await importLines([account, hook])
    expect((await admin('account', 'create', '--name', 'Next', '--json')).stdout).toBe('{"account_id":502}\n')
    const [next] = await database.query(`SELECT nextval('hooks_id_seq') AS id`)
    expect(next).toEqual({ id: '901' })
  })

  test('an account with id 1 in an empty database is not followed by another one', async () => {
    await importLines([{ ...account, id: 1 }])
    expect((await admin('account', 'create', '--name', 'Next', '--json')).stdout).toBe('{"account_id":2}\n')
  })

  test('the same file changes nothing, and is recorded once per account', async () => {
    const file = await folder.write(header, account, login, key, hook, { ...account, id: 8, name: 'Eight' })
    await runImport(settings, file)
    const before = await dumpDatabase(database)
    const { code, report } = await runImport(settings, file)
    expect(code).toBe(0)
    expect(report.records).toEqual({
      account: { ...none, unchanged: 2 },
      login: { ...none, unchanged: 1 },
      key: { ...none, unchanged: 1 },
      hook: { ...none, unchanged: 1 },
    })
    expect(await dumpDatabase(database)).toBe(before)
    const digest = hash('sha256', await readFile(file), 'hex').slice(0, 16)
    expect(
      await database.query(
        `SELECT account_id, actor, action, subject, detail FROM audit ORDER BY account_id`,
      ),
    ).toEqual([
      {
        account_id: 7,
        actor: 'operator',
        action: 'account.import',
        subject: 'account:7',
        detail: { file: digest },
      },
      {
        account_id: 8,
        actor: 'operator',
        action: 'account.import',
        subject: 'account:8',
        detail: { file: digest },
      },
    ])
  })

  test('webhooks are added to an existing account in another file', async () => {
    await importLines([account, hook])
    await importLines([account, { ...hook, id: 71, target_url: 'https://example.com/b' }])
    expect(await database.query('SELECT hook_id, version FROM hook_versions ORDER BY hook_id')).toEqual([
      { hook_id: 70, version: '1' },
      { hook_id: 71, version: '2' },
    ])
    const [stored] = await database.query('SELECT hooks_version FROM accounts')
    expect(stored).toEqual({ hooks_version: '2' })
  })

  test('suspended accounts are stopped', async () => {
    const before = await database.query<{ version: string }>('SELECT version FROM stops_version')
    await importLines([{ ...account, suspended: true }])
    expect(
      await database.query('SELECT scope, account_id, is_suspension, reason, actor, ended_at FROM stops'),
    ).toEqual([
      {
        scope: 'account',
        account_id: 7,
        is_suspension: true,
        reason: 'The account is suspended.',
        actor: 'operator',
        ended_at: null,
      },
    ])
    const after = await database.query<{ version: string }>('SELECT version FROM stops_version')
    expect(Number(after[0]?.version)).toBe(Number(before[0]?.version) + 1)
    expect((await admin('account', 'resume', '7')).stdout).toBe('Resumed account 7.\n')
    expect(await database.query('SELECT ended_at IS NULL AS is_active FROM stops')).toEqual([
      { is_active: false },
    ])
  })

  test('a disabled webhook stays disabled, and its account can see that a user disabled it', async () => {
    await importLines([account, { ...hook, enabled: false, max_per_second: 5, retry_policy: 'original' }])
    const columns = 'enabled, disabled_reason, max_per_second, retry_policy, form_fields'
    expect(await database.query(`SELECT ${columns} FROM hooks`)).toEqual([
      {
        enabled: false,
        disabled_reason: 'owner',
        max_per_second: 5,
        retry_policy: 'original',
        form_fields: 'nested',
      },
    ])
    expect(await database.query('SELECT enabled FROM hook_versions')).toEqual([{ enabled: false }])
  })

  test('no secret of the file is stored or printed in clear text', async () => {
    const secrets = [
      'the-key-of-the-provider-1',
      hash('sha256', 'the-key-of-the-provider-1', 'hex'),
      sha256,
      sha512,
      'the-signing-key-of-the-account',
      Buffer.from('the secret of the webhook 123456').toString('base64'),
      'the-token-of-the-receiver',
    ]
    const lines = [
      { ...account, signing_key: secrets[4] },
      { ...key, key: secrets[0] },
      { ...key, key: undefined, name: 'digest', key_sha256: sha256 },
      { ...key, key: undefined, name: 'digest', key_sha512: sha512 },
      { ...hook, headers: `Authorization: Bearer ${secrets[6]}`, secret: `whsec_${secrets[5]}` },
    ]
    const { stdout, stderr, report } = await importLines(lines)
    expect(report.error_count).toBe(0)
    const dump = `${await dumpDatabase(database)}\n${stdout}\n${stderr}`
    const encodings = secrets.flatMap((secret) => [
      secret,
      Buffer.from(secret ?? '').toString('hex'),
      Buffer.from(secret ?? '', 'hex').toString('base64'),
    ])
    expect(encodings.filter((secret) => secret !== '' && dump.includes(secret ?? '-'))).toEqual([])
  })
})

describe('invalid lines', () => {
  const valid = [account, login, key, hook]

  const invalid: ReadonlyArray<[kind: string, description: string, line: object | string, message: string]> =
    [
      ['', 'no JSON', '{"kind":"account"', 'The line is not valid JSON.'],
      ['', 'a list', '[]', 'The line is not a JSON object.'],
      ['', 'a number', '7', 'The line is not a JSON object.'],
      ['', 'no kind', { id: 1 }, '"kind" must be one of account, login, key, hook.'],
      ['', 'an unknown kind', { kind: 'app' }, '"kind" must be one of account, login, key, hook.'],
      [
        '',
        'a prototype name as kind',
        { kind: 'constructor' },
        '"kind" must be one of account, login, key, hook.',
      ],
      ['account', 'an unknown field', { ...account, id: 1, plan: 'gold' }, 'Unknown field "plan".'],
      [
        'account',
        '__proto__',
        '{"kind":"account","id":1,"name":"a","__proto__":{}}',
        'Unknown field "__proto__".',
      ],
      [
        'account',
        'constructor',
        '{"kind":"account","id":1,"name":"a","constructor":1}',
        'Unknown field "constructor".',
      ],
      ['account', 'a field twice', '{"kind":"account","id":1,"name":"a","id":2}', 'A field occurs twice.'],
      [
        'account',
        'an escaped field twice',
        '{"kind":"account","id":1,"name":"a","\\u0069d":2}',
        'A field occurs twice.',
      ],
      ['account', 'no id', { kind: 'account', name: 'a' }, '"id" is missing.'],
      ['account', 'id 0', { ...account, id: 0 }, '"id" must be at least 1.'],
      ['account', 'a negative id', { ...account, id: -1 }, '"id" must be at least 1.'],
      ['account', 'a fraction as id', { ...account, id: 1.5 }, '"id" must be an integer.'],
      ['account', 'a text as id', { ...account, id: '1' }, '"id" must be a number.'],
      ['account', 'an id of 32 bits', { ...account, id: 2 ** 31 }, '"id" must be at most 2000000000.'],
      ['account', 'the largest id', { ...account, id: 2 ** 31 - 1 }, '"id" must be at most 2000000000.'],
      [
        'account',
        'an empty name',
        { ...account, id: 1, name: '' },
        '"name" must have 1 to 100 characters: visible text without control or formatting characters.',
      ],
      [
        'account',
        'NUL',
        { ...account, id: 1, name: 'a\0b' },
        '"name" contains characters that cannot be stored.',
      ],
      [
        'account',
        'half a surrogate pair',
        '{"kind":"account","id":1,"name":"\\ud800"}',
        '"name" contains characters that cannot be stored.',
      ],
      [
        'account',
        'the name of the canary',
        { ...account, id: 1, name: 'Hookline canary' },
        'The name "Hookline canary" is reserved.',
      ],
      [
        'account',
        'a time without a zone',
        { ...account, id: 1, created_at: '2026-01-01 12:00:00' },
        '"created_at" must be a time such as 2026-01-31T12:00:00Z.',
      ],
      [
        'account',
        'the year 0',
        { ...account, id: 1, created_at: '0000-01-01T00:00:00Z' },
        '"created_at" must be between the years 1970 and 2199.',
      ],
      [
        'account',
        'unknown statuses',
        { ...account, id: 1, statuses: 'old' },
        '"statuses" must be one of default, http, original.',
      ],
      [
        'account',
        'a short signing key',
        { ...account, id: 1, signing_key: 'short' },
        '"signing_key" must have 16 to 256 visible ASCII characters.',
      ],
      ['account', 'a repeated id', { ...account, name: 'Other' }, 'Line 2 has the same id.'],
      [
        'login',
        'an unknown account',
        { ...login, account_id: 8, alias: 'eight', email: null },
        'Account 8 has no valid line before this one.',
      ],
      [
        'login',
        'an invalid alias',
        { ...login, alias: 'a b' },
        'The alias must have 2 to 64 letters, digits, ".", "-" or "_".',
      ],
      [
        'login',
        'an invalid email',
        { ...login, alias: 'b', email: 'b' },
        'The alias must have 2 to 64 letters, digits, ".", "-" or "_".',
      ],
      [
        'login',
        'two emails',
        { ...login, alias: 'bb', email: 'a@example.com,b@example.com' },
        'The email is not valid.',
      ],
      ['login', 'a password', { ...login, alias: 'bb', password: 'x' }, 'Unknown field "password".'],
      ['login', 'a repeated alias', { ...login, alias: 'SEVEN', email: null }, 'Line 3 has the same alias.'],
      [
        'login',
        'a repeated email',
        { ...login, alias: 'bb', email: 'Seven@example.com' },
        'Line 3 has the same email.',
      ],
      [
        'key',
        'neither key nor digest',
        { kind: 'key', account_id: 7, name: 'a' },
        'Exactly one of "key", "key_sha256" and "key_sha512" is needed.',
      ],
      [
        'key',
        'key and digest',
        { ...key, key_sha256: sha256 },
        'Exactly one of "key", "key_sha256" and "key_sha512" is needed.',
      ],
      [
        'key',
        'a short key',
        { ...key, key: 'abcdefghijklmno' },
        '"key" must have 16 to 256 visible ASCII characters.',
      ],
      [
        'key',
        'a key with a space',
        { ...key, key: 'abcdefgh ijklmnop' },
        '"key" must have 16 to 256 visible ASCII characters.',
      ],
      [
        'key',
        'a short digest',
        { ...key, key: undefined, key_sha512: sha256 },
        '"key_sha512" must be 64 bytes in hexadecimal digits or Base64.',
      ],
      [
        'key',
        'an unknown scope',
        { ...key, scopes: ['sms'] },
        '"scopes" must be one of all, hooks, hooks:read, events:read, deliveries:replay.',
      ],
      [
        'key',
        'a network with bits of a host',
        { ...key, allowed_ips: ['192.0.2.7/24'] },
        '"allowed_ips" must contain IP addresses or networks such as 192.0.2.7 or 192.0.2.0/24.',
      ],
      [
        'key',
        'an IPv6 network with bits of a host',
        { ...key, allowed_ips: ['2001:db8::1/64'] },
        '"allowed_ips" must contain IP addresses or networks such as 192.0.2.7 or 192.0.2.0/24.',
      ],
      [
        'key',
        'a repeated key as a digest',
        { ...key, key: undefined, key_sha256: hash('sha256', key.key, 'base64') },
        'Line 4 has the same key.',
      ],
      [
        'hook',
        'a private URL',
        { ...hook, id: 71, target_url: 'https://10.0.0.1/' },
        'Invalid URL: the address is not public.',
      ],
      ['hook', 'no URL', { ...hook, id: 71, target_url: 'example' }, 'Invalid URL'],
      [
        'hook',
        'an unknown event type',
        { ...hook, id: 71, event_type: 'sms_xx' },
        '"event_type" must be one of all, rcs, sms_mo, dlr, voice_call, voice_status, voice_dtmf, tracking, wa_mo, webhook.failing, webhook.recovered, webhook.disabled, delivery.lost, delivery.expiring, certificate.expiring, key.expiring, rcs_mo, rcs_dlr.',
      ],
      [
        'hook',
        'an unknown method',
        { ...hook, id: 71, request_method: 'PUT' },
        '"request_method" must be one of POST, GET, JSON.',
      ],
      [
        'hook',
        'a reserved header',
        { ...hook, id: 71, headers: 'Host: a' },
        'The header "Host" is reserved and cannot be set.',
      ],
      [
        'hook',
        'NUL in a filter',
        { ...hook, id: 71, event_filter: '4\0' },
        '"event_filter" contains characters that cannot be stored.',
      ],
      [
        'hook',
        'a short secret',
        { ...hook, id: 71, secret: 'whsec_YWJj' },
        '"secret" must be "whsec_" and 16 to 64 bytes in Base64.',
      ],
      ['hook', 'a repeated id', { ...hook, target_url: 'https://example.com/b' }, 'Line 5 has the same id.'],
      [
        'hook',
        'the same values',
        { ...hook, id: 71, request_method: 'post', headers: '' },
        'Line 5 has the same account, URL, type, method, filter and headers.',
      ],
    ]

  test('each is reported with its line and reason, and nothing is imported', async () => {
    const { code, report, stdout } = await importLines([...valid, ...invalid.map(([, , line]) => line)])
    const actual = new Map(report.errors.map(({ line, message }) => [line, message]))
    const firstLine = valid.length + 2
    expect(
      invalid.map(([kind, description], index) => [kind, description, actual.get(firstLine + index)]),
    ).toEqual(invalid.map(([kind, description, , message]) => [kind, description, message]))
    expect(report.error_count).toBe(invalid.length)
    const ofKind = (kind: string) => invalid.filter(([name]) => name === kind).length
    expect(report.unknown_lines).toBe(ofKind(''))
    expect(report.records).toEqual({
      account: { ...none, new: 1, invalid: ofKind('account') },
      login: { ...none, new: 1, invalid: ofKind('login') },
      key: { ...none, new: 1, invalid: ofKind('key') },
      hook: { ...none, new: 1, invalid: ofKind('hook') },
    })
    expect(code).toBe(1)
    expect(report.dry_run).toBe(true)
    expect(stdout).not.toContain(sha256)
    expect(await database.query('SELECT id FROM accounts')).toEqual([])
  })

  test('--skip-invalid imports the others, and --rejects keeps the invalid lines for the operator only', async () => {
    const rejects = folder.path('rejects.jsonl')
    const lines = [
      account,
      { ...account, id: 8, name: '' },
      { ...hook, account_id: 8, id: 80 },
      'no JSON',
      hook,
    ]
    const { code, report } = await importLines(lines, '--skip-invalid', '--rejects', rejects)
    expect(code).toBe(0)
    expect(report).toMatchObject({ dry_run: false, error_count: 3 })
    expect(await database.query('SELECT id FROM hooks')).toEqual([{ id: 70 }])
    expect(
      (await readFile(rejects, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        line: 3,
        reason:
          '"name" must have 1 to 100 characters: visible text without control or formatting characters.',
        text: JSON.stringify(lines[1]),
      },
      { line: 4, reason: 'Account 8 has no valid line before this one.', text: JSON.stringify(lines[2]) },
      { line: 5, reason: 'The line is not valid JSON.', text: 'no JSON' },
    ])
    expect((await stat(rejects)).mode & 0o777).toBe(0o600)
  })

  test('--rejects never overwrites a file, not even the import itself', async () => {
    const file = await folder.write(header, account, 'no JSON')
    const before = await readFile(file, 'utf8')
    const { code, stderr } = await runAdmin(settings, ['import', file, '--rejects', file])
    expect([code, stderr]).toEqual([1, expect.stringContaining('already exists. Choose another file')])
    expect(await readFile(file, 'utf8')).toBe(before)
  })

  test('records of an account never reach another account that has its id', async () => {
    await importLines([account, hook])
    const { report } = await importLines(
      [
        { ...account, name: 'Another' },
        { ...hook, id: 71, target_url: 'https://example.com/b' },
      ],
      '--skip-invalid',
    )
    expect(report.errors).toEqual([
      { line: 2, message: 'Account 7 exists with another value of "name".' },
      { line: 3, message: 'Account 7 has no valid line before this one.' },
    ])
    expect(await database.query('SELECT id FROM hooks')).toEqual([{ id: 70 }])
  })

  test('existing records with other values are reported', async () => {
    const eight = { ...account, id: 8, name: 'Eight' }
    const digestKey = { ...key, name: 'digest', key: undefined, key_sha256: sha256 }
    await importLines([account, eight, login, key, digestKey, hook])
    const { report } = await importLines([
      { ...account, suspended: true, signing_key: 'another signing key'.replaceAll(' ', '-') },
      eight,
      { ...login, alias: 'Seven', created_at: '2020-01-01T00:00:00Z' },
      { ...login, alias: 'other' },
      { ...key, name: 'other', scopes: ['hooks'], allowed_ips: ['192.0.2.1'] },
      { ...digestKey, account_id: 8 },
      { ...hook, enabled: false, secret: `whsec_${'A'.repeat(43)}=` },
      { ...hook, account_id: 8 },
    ])
    expect(report.errors.map(({ message }) => message)).toEqual([
      'Account 7 exists with another value of "suspended", "signing_key".',
      'Account 7 has no valid line before this one.',
      'Line 4 has the same email.',
      'Account 7 has no valid line before this one.',
      'Another account has this API key.',
      'Account 7 has no valid line before this one.',
      'Line 8 has the same id.',
    ])
    const second = await importLines([
      account,
      eight,
      { ...login, alias: 'Seven', created_at: '2020-01-01T00:00:00Z' },
      { ...key, name: 'other', scopes: ['hooks'], allowed_ips: ['192.0.2.1'] },
      { ...hook, enabled: false, secret: `whsec_${'A'.repeat(43)}=`, headers: 'X-A: b' },
    ])
    expect(second.report.errors.map(({ message }) => message)).toEqual([
      'The login exists with another value of "alias", "created_at".',
      'The API key exists with another value of "name", "scopes", "allowed_ips".',
      'Webhook 70 exists with another value of "enabled", "secret".',
    ])
    const third = await importLines([
      account,
      eight,
      { ...login, alias: 'other' },
      { ...login, account_id: 8, email: null },
      { ...hook, headers: 'X-A: b' },
      { ...hook, id: 71 },
      { ...hook, account_id: 8, id: 72 },
    ])
    expect(third.report.errors).toEqual([
      { line: 4, message: 'Another login already has this email.' },
      { line: 5, message: 'A login of another account has this alias.' },
      { line: 6, message: 'Webhook 70 exists with another value of "headers".' },
      { line: 7, message: 'Webhook 70 of the account has the same URL, type, method, filter and headers.' },
    ])
    expect((await importLines([eight, { ...hook, account_id: 8 }])).report.errors).toEqual([
      { line: 3, message: 'Webhook 70 exists in another account.' },
    ])
  })

  test('deleted webhooks and revoked keys do not come back', async () => {
    await importLines([account, key, hook])
    await database.query('DELETE FROM hooks')
    expect((await admin('key', 'revoke', '1')).code).toBe(0)
    const { code, report } = await importLines([account, key, hook])
    expect(code).toBe(0)
    expect(report.records).toMatchObject({ key: { unchanged: 1 }, hook: { ...none, deleted: 1 } })
    expect(report.warnings).toEqual([
      { message: 'Webhooks that were deleted and are not created again', count: 1, first_line: 4 },
    ])
    expect(await database.query('SELECT id FROM hooks')).toEqual([])
    expect(await database.query('SELECT revoked_at IS NULL AS is_active FROM keys')).toEqual([
      { is_active: false },
    ])
  })

  test('warnings are counted', async () => {
    const urls = ['https://example.com/a', 'http://example.com/b', 'http://example.com/c']
    const hooks = urls.map((target_url, index) => ({ ...hook, id: 70 + index, target_url }))
    const lines = [
      account,
      { ...login, email: null },
      { ...key, expires_at: '2020-01-01T00:00:00Z' },
      ...hooks,
    ]
    settings.HOOKS_PER_ACCOUNT = '2'
    const { code, report } = await importLines(lines)
    expect(code).toBe(0)
    expect(report.warnings).toEqual([
      { message: 'Logins without an email, whose password only you can set', count: 1, first_line: 3 },
      { message: 'API keys that have expired', count: 1, first_line: 4 },
      { message: 'Webhooks without TLS (http:)', count: 2, first_line: 6 },
      { message: 'Accounts with more than 2 webhooks, which can add no more', count: 1, first_line: 7 },
    ])
  })
})

describe('a hostile file', () => {
  test.each([
    ['an empty file', '', 'The file is empty. Its first line must be the header.'],
    [
      'no header',
      `${JSON.stringify(account)}\n`,
      'The first line is not the header {"format":"hookline","version":1}.',
    ],
    [
      'a newer version',
      '{"format":"hookline","version":2}\n',
      'Version 2 of the format is unknown. Use version 1.',
    ],
    [
      'a header with a field',
      '{"format":"hookline","version":1,"x":1}\n',
      'The first line is not the header {"format":"hookline","version":1}.',
    ],
    ['a binary file', '\0\0\0\0', 'The line is not valid JSON.'],
  ])('%s is refused', async (_, content, message) => {
    const path = folder.path('file.jsonl')
    await writeFile(path, content)
    expect(await admin('import', path)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` })
  })

  test('a missing file is named', async () => {
    expect(await admin('import', '/nowhere.jsonl')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The file /nowhere.jsonl does not exist or is not readable.\n',
    })
  })

  test('long lines, deep nesting and wrong UTF-8 are invalid lines, and the other lines are imported', async () => {
    const path = folder.path('hostile.jsonl')
    const deep = `{"kind":"account","id":1,"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    await writeFile(
      path,
      Buffer.concat([
        Buffer.from(`\uFEFF${JSON.stringify(header)}\r\n\r\n`),
        Buffer.from(`{"kind":"account","id":1,"name":"${'x'.repeat(5_000_000)}"}\n`),
        Buffer.from(`${'['.repeat(1_000_000)}\n`),
        Buffer.from(`${deep}\n`),
        Buffer.from('{"kind":"account","id":1,"name":"'),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}\n{"kind":"account","id":1,"name":"a\0b"}\n'),
        // The last line has no line feed.
        Buffer.from(JSON.stringify(account)),
      ]),
    )
    const { report } = await runImport(settings, path, '--skip-invalid')
    expect(report.errors).toEqual([
      { line: 3, message: 'The line is longer than 262144 bytes.' },
      { line: 4, message: 'The line is longer than 262144 bytes.' },
      { line: 5, message: '"name" must be a string.' },
      { line: 6, message: 'The line is not valid UTF-8.' },
      { line: 7, message: 'The line is not valid JSON.' },
    ])
    expect(await database.query('SELECT id FROM accounts')).toEqual([{ id: 7 }])
  })
})

test('an import that was killed is continued by the same command', async () => {
  const accounts = Array.from({ length: 3_000 }, (_, index) => index + 1)
  const lines = accounts.flatMap((id) => [
    { ...account, id },
    { ...hook, account_id: id, id, target_url: `https://example.com/${id}` },
    ...(id === 2_500 ? [{ ...login, account_id: id, email: null }] : []),
  ])
  // With the first account, the lines of others are in two batches.
  const file = await folder.write(header, { ...account, id: 4_000 }, ...lines)
  // An uncommitted login with the same alias holds the third batch back.
  await database.query(`INSERT INTO accounts (id, name) OVERRIDING SYSTEM VALUE VALUES (5000, 'other')`)
  const blocker = new Client({ connectionString: database.url.href })
  await blocker.connect()
  await blocker.query('BEGIN')
  await blocker.query(`INSERT INTO logins (account_id, alias, password_hash) VALUES (5000, 'seven', '')`)
  const child = spawn(process.execPath, [builtServer, 'admin', 'import', file], {
    env: { ...baseEnv, ...settings },
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  const imported = async () =>
    Number((await database.query<{ count: string }>('SELECT count(*) FROM hooks'))[0]?.count)
  await expect.poll(imported, { timeout: 60_000 }).toBe(1_999)
  child.kill('SIGKILL')
  await closed
  await blocker.query('ROLLBACK')
  await blocker.end()

  expect(await imported()).toBe(1_999)
  const { code, report } = await runImport(settings, file)
  expect(code).toBe(0)
  expect(report.records.account).toEqual({ ...none, new: 1_000, unchanged: 2_001 })
  expect(report.records.hook).toEqual({ ...none, new: 1_001, unchanged: 1_999 })
  const [counts] = await database.query(`
    SELECT (SELECT count(*)::integer FROM accounts WHERE hooks_version = 1) AS accounts,
           (SELECT count(*)::integer FROM hooks) AS hooks, (SELECT count(*)::integer FROM hook_versions) AS versions,
           (SELECT count(DISTINCT account_id)::integer FROM audit) AS audited,
           (SELECT count(*)::integer FROM audit) AS audit_entries`)
  expect(counts).toEqual({
    accounts: 3_000,
    hooks: 3_000,
    versions: 3_000,
    audited: 3_001,
    audit_entries: 3_001,
  })
})

describe('an export', () => {
  const lines = [
    { ...account, created_at: '2020-01-02T03:04:05.678Z', suspended: true, statuses: 'http' },
    { ...account, id: 9, name: 'Nine "quoted" ünïcode', signed_calls_required: true },
    login,
    { ...login, account_id: 9, alias: 'no-email', email: null },
    { ...key, allowed_ips: ['192.0.2.7', '2001:db8::/32'], signed_calls_required: true },
    {
      ...key,
      account_id: 9,
      key: undefined,
      prefix: 'zz',
      key_sha256: sha256,
      scopes: ['hooks', 'events:read'],
    },
    { ...key, account_id: 9, key: undefined, key_sha512: sha512, expires_at: '2090-01-01T00:00:00Z' },
    { ...key, account_id: 9, key: 'hlk_abcdefghijklmnopqrstuvwxyz012310QcJu' },
    {
      ...hook,
      headers: 'Authorization: Bearer x\nX-A: "b"',
      enabled: false,
      max_per_second: 3,
      retry_policy: 'original',
      form_fields: 'flat',
      accept_header: true,
      signature_url: 'complete',
      name: 'Orders 🛒',
      description: 'To the CRM\nof the shop',
    },
    { ...hook, account_id: 9, id: 3, event_filter: 'cel:data.text.contains("\\n")', request_method: 'JSON' },
  ]

  test.each([
    ['with secrets', ['--with-secrets']],
    ['without secrets', []],
  ])('%s, imported into an empty installation, gives the same export', async (_, options) => {
    expect((await importLines(lines)).report.error_count).toBe(0)
    const first = folder.path('first.jsonl')
    expect((await admin('export', first, ...options)).code).toBe(0)
    const empty = await createTestDatabase()
    try {
      const elsewhere = { DATABASE_URL: empty.url.href, MASTER_KEY: randomBytes(32).toString('base64') }
      expect((await runImport(elsewhere, first)).report.error_count).toBe(0)
      const second = await runAdmin(elsewhere, ['export', ...options])
      expect(second.stdout).toBe(await readFile(first, 'utf8'))
      expect(second.stdout.split('\n')).toHaveLength(options.length === 0 ? 8 : 12)
    } finally {
      await empty.drop()
    }
    // Without secrets, the headers are missing in the file and not compared.
    expect((await runImport(settings, first)).report.records.hook).toEqual({ ...none, unchanged: 2 })
  })

  test('contains secrets only on request, in a new file for the operator only', async () => {
    await importLines(lines)
    const { stdout } = await admin('export')
    expect(stdout).not.toMatch(/Bearer|whsec_|"key|signing_key|abcdefghijklmnop/)
    const file = folder.path('export.jsonl')
    expect(await admin('export', file, '--with-secrets', '--json')).toEqual({
      code: 0,
      stdout: '{"accounts":2,"logins":2,"keys":4,"hooks":2}\n',
      stderr: '',
    })
    expect(await readFile(file, 'utf8')).toMatch(/"headers":"Authorization: Bearer x/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await admin('export', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The file ${file} exists. Choose another name.\n`,
    })
    expect(await readFile(file, 'utf8')).toContain('whsec_')
    expect(
      await database.query(`SELECT account_id, actor FROM audit WHERE action = 'account.export' ORDER BY 1`),
    ).toEqual([
      { account_id: 7, actor: 'operator' },
      { account_id: 9, actor: 'operator' },
    ])
  })

  test('leaves out revoked keys and the canary', async () => {
    await importLines([account, key])
    await admin('key', 'revoke', '1')
    await database.query(`INSERT INTO accounts (name) VALUES ('Hookline canary')`)
    const { stdout } = await admin('export', '--with-secrets')
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).kind),
    ).toEqual([undefined, 'account'])
  })
})
