/** Settings: every problem named at once, no secret repeated, and what each kind of setting takes. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig, settings } from './config.ts'
import { OperatorError } from './model/errors.ts'

const masterKey = Buffer.alloc(32, 7).toString('base64')
const minimal = { DATABASE_URL: 'postgres://u:p@db.example:5432/hookline', MASTER_KEY: masterKey }

/** The lines that name a problem, without their bullet. */
function problems(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return error.message
      .split('\n')
      .filter((line) => line.startsWith('  - '))
      .map((line) => line.slice(4))
  }
}

function namesIn(lines: readonly string[]): string[] {
  return lines.map((line) => line.split(' ', 1)[0] ?? '').toSorted()
}

function secretFile(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'hookline-secret-')), 'secret')
  writeFileSync(path, text)
  return path
}

describe('problems', () => {
  test('of an empty environment are the two settings without a default', () => {
    expect(problems({})).toEqual(['DATABASE_URL is not set.', 'MASTER_KEY is not set.'])
  })

  test('are named all at once', () => {
    const broken = {
      DATABASE_URL: 'mysql://db.example/',
      MASTER_KEY: 'short',
      PREVIOUS_MASTER_KEY: 'short too',
      PORT: '65536',
      INTERNAL_PORT: 'eighty',
      BASE_URL: 'hookline.example',
      ALLOW_PRIVATE_TARGETS: 'maybe',
      TRUSTED_PROXIES: '10.0.0.0/8, proxy.example',
      CREDENTIALS_OFF: 'bearer, cookie',
      TIME_ZONE: 'Mars/Olympus',
      CALLS_PER_MINUTE: '0',
      LOGIN_ATTEMPTS: '-1',
      HOOKS_PER_ACCOUNT: '1e3',
      MAX_URL_BYTES: '2 048',
      LOG_LEVEL: 'verbose',
      DATABASE_POOL: '1.5',
    }
    expect(namesIn(problems(broken))).toEqual(Object.keys(broken).toSorted())
  })

  test('of a secret in a file name the setting and the cause, not the secret', () => {
    const { DATABASE_URL } = minimal
    expect(problems({ DATABASE_URL, MASTER_KEY_FILE: secretFile('top-secret') }).join()).toMatch(
      /^MASTER_KEY (?!.*top-secret)/,
    )
    expect(problems({ DATABASE_URL, MASTER_KEY_FILE: secretFile('\n') }).join()).toMatch(
      /^MASTER_KEY is empty in /,
    )
    expect(problems({ DATABASE_URL, MASTER_KEY_FILE: '/nowhere/key' }).join()).toMatch(
      /^MASTER_KEY cannot be read from MASTER_KEY_FILE: .*ENOENT.*\/nowhere\/key/,
    )
    expect(problems({ ...minimal, MASTER_KEY_FILE: secretFile(masterKey) })).toEqual([
      'MASTER_KEY and MASTER_KEY_FILE are both set. Set one of them.',
    ])
  })

  test('of a retention that is shorter than a delivery can be pending name the minimum and why', () => {
    expect(problems({ ...minimal, RETENTION_DAYS: '19' })).toEqual([
      'RETENTION_DAYS must be at least 20, not 19: a delivery can be on hold for 7 days and then retried for 12 days.',
    ])
    expect(problems({ ...minimal, RETENTION_DAYS: '20' })).toEqual([])
  })

  test('include contradictions, also beside a setting that cannot be read', () => {
    const contradictory = {
      ALLOW_PRIVATE_TARGETS: 'true',
      BASE_URL: 'https://hookline.example',
      LOG_LEVEL: 'loud',
    }
    expect(namesIn(problems({ ...minimal, ...contradictory }))).toEqual([
      'ALLOW_PRIVATE_TARGETS',
      'LOG_LEVEL',
    ])
  })

  test('are those of settings that were set, not of what is derived from them', () => {
    expect(namesIn(problems({ ...minimal, PORT: 'http' }))).toEqual(['PORT'])
  })

  test('point to the page that explains the settings', () => {
    expect(() => loadConfig({})).toThrow(/^Invalid settings:\n[^]*docs\/configuration\.md/)
  })
})

describe('secrets', () => {
  test.each([
    ['DATABASE_URL', 'mysql://hookline:hunter2@db.example/'],
    ['DATABASE_URL', 'hookline:hunter2@db.example'],
    ['DATABASE_URL', 'postgres://hookline:hunter2@'],
    ['DATABASE_URL', 'postgres://hookline:hunter2@db.example:port/'],
    ['MASTER_KEY', 'hunter2'],
    ['MASTER_KEY', Buffer.from('hunter2hunter2hunter2hunter2hunt').toString('base64url').replace('=', '')],
    ['PREVIOUS_MASTER_KEY', 'hunter2'],
    ['SMTP_URL', 'https://hookline:hunter2@mail.example/'],
    ['SMTP_URL', 'smtp://hookline:hunter2@'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=hunter2%ff'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=hunter2%0d%0ax: y'],
  ])('%s is not repeated when it cannot be read: %s', (name, secret) => {
    const lines = problems({ ...minimal, [name]: secret })
    expect(namesIn(lines)).toEqual([name])
    expect(lines.join('\n')).not.toContain(secret)
    expect(lines.join('\n')).not.toMatch(/hunter2|aHVudGVyMm/)
  })

  test('of a good setting are not repeated beside the problem of another', () => {
    const text = problems({ ...minimal, PORT: '-1' }).join('\n')
    expect(text).not.toContain(masterKey)
    expect(text).not.toContain('u:p@')
  })

  test('come from files too, without the line break at the end', () => {
    const secrets = Object.values(settings).filter(({ isSecret }) => isSecret)
    expect(secrets.map(({ name }) => name)).toEqual([
      'DATABASE_URL',
      'NATS_URL',
      'MASTER_KEY',
      'PREVIOUS_MASTER_KEY',
      'SMTP_URL',
      'MIGRATE_DATABASE_URL',
      'OTEL_EXPORTER_OTLP_HEADERS',
    ])
    const otherKey = Buffer.alloc(32, 8).toString('base64')
    const values = {
      DATABASE_URL_FILE: 'postgres://u:p@file.example:5432/hookline\n',
      NATS_URL_FILE: 'nats://token@nats.example:4222\r\n',
      MASTER_KEY_FILE: masterKey,
      PREVIOUS_MASTER_KEY_FILE: `${otherKey}\n`,
      SMTP_URL_FILE: 'smtp://u:p@mail.example:587\n',
      MIGRATE_DATABASE_URL_FILE: 'postgres://owner:p@file.example:5432/hookline\n',
      OTEL_EXPORTER_OTLP_HEADERS_FILE: 'authorization=Bearer%20token,x-team=a=b\n',
    }
    const env = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, secretFile(text)]))
    const config = loadConfig({ ...env, MAIL_FROM: 'hookline@mail.example' })
    const { databaseUrl, migrateDatabaseUrl, natsUrl, smtpUrl } = config
    expect([databaseUrl, migrateDatabaseUrl, natsUrl, smtpUrl].map(String)).toEqual([
      'postgres://u:p@file.example:5432/hookline',
      'postgres://owner:p@file.example:5432/hookline',
      'nats://token@nats.example:4222',
      'smtp://u:p@mail.example:587',
    ])
    expect(config.otlpHeaders).toEqual({ authorization: 'Bearer token', 'x-team': 'a=b' })
    expect([config.masterKey, config.previousMasterKey]).toEqual([Buffer.alloc(32, 7), Buffer.alloc(32, 8)])
  })
})

describe('what a setting takes', () => {
  test.each([
    ['DATABASE_URL', 'postgresql://u@h/d', 'databaseUrl', new URL('postgresql://u@h/d')],
    ['MASTER_KEY', masterKey, 'masterKey', Buffer.alloc(32, 7)],
    ['PREVIOUS_MASTER_KEY', '', 'previousMasterKey', undefined],
    ['PORT', '0', 'port', 0],
    ['PORT', '65535', 'port', 65535],
    ['PORT', '', 'port', 8080],
    ['HOST', '::', 'host', '::'],
    [
      'OWN_HOSTS',
      ' A.example. ,, 192.0.2.1,2001:DB8:0::1,',
      'ownHosts',
      [new URL('http://a.example.'), new URL('http://192.0.2.1'), new URL('http://[2001:db8::1]')],
    ],
    ['OWN_HOSTS', '', 'ownHosts', []],
    ['ALLOW_PRIVATE_TARGETS', 'FALSE', 'allowPrivateTargets', false],
    ['ALLOW_PRIVATE_TARGETS', 'On', 'allowPrivateTargets', true],
    ['ALLOW_PRIVATE_TARGETS', '0', 'allowPrivateTargets', false],
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/8,::1,fd00::/8,192.0.2.1/32',
      'trustedProxies',
      ['10.0.0.0/8', '::1', 'fd00::/8', '192.0.2.1/32'],
    ],
    [
      'CREDENTIALS_OFF',
      'login-password,parameter-key',
      'credentialsOff',
      ['login-password', 'parameter-key'],
    ],
    ['TIME_ZONE', 'Europe/Berlin', 'timeZone', 'Europe/Berlin'],
    ['LOGIN_ATTEMPTS', '0', 'loginAttempts', 0],
    ['CALLS_PER_MINUTE', '1', 'callsPerMinute', 1],
    ['CALLS_PER_MINUTE', '999999999', 'callsPerMinute', 999_999_999],
    ['LOG_LEVEL', 'debug', 'logLevel', 'debug'],
    ['SMTP_URL', '', 'smtpUrl', undefined],
    ['SELF_REGISTRATION', '', 'selfRegistration', false],
    ['SELF_REGISTRATION', 'true', 'selfRegistration', true],
    ['OPERATOR_CONTACT', '', 'operatorContact', undefined],
    ['OPERATOR_CONTACT', 'desk 7', 'operatorContact', 'desk 7'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', '', 'otlpEndpoint', undefined],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://c:4318', 'otlpEndpoint', new URL('http://c:4318')],
    ['OTEL_EXPORTER_OTLP_HEADERS', '', 'otlpHeaders', {}],
    ['OTEL_TRACES_SAMPLER_ARG', '', 'traceRatio', 1],
    ['OTEL_TRACES_SAMPLER_ARG', '0.05', 'traceRatio', 0.05],
  ] as const)('%s=%s', (name, input, key, expected) => {
    expect(loadConfig({ ...minimal, [name]: input })[key]).toEqual(expected)
  })

  test.each([
    ['DATABASE_URL', 'postgres:///hookline'],
    ['DATABASE_URL', 'http://db.example/'],
    ['MASTER_KEY', Buffer.alloc(31, 7).toString('base64')],
    ['MASTER_KEY', Buffer.alloc(33, 7).toString('base64')],
    ['MASTER_KEY', Buffer.alloc(32, 0xff).toString('base64url')],
    ['MASTER_KEY', `${masterKey}\n`],
    ['MASTER_KEY', Buffer.alloc(32, 7).toString('hex')],
    ['INTERNAL_PORT', '65536'],
    ['INTERNAL_PORT', ' 80'],
    ['INTERNAL_PORT', '0x50'],
    ['INTERNAL_PORT', '-1'],
    ['BASE_URL', 'ftp://hookline.example/'],
    ['BASE_URL', 'https://'],
    ['OWN_HOSTS', 'a.example, b.example/path'],
    ['OWN_HOSTS', 'a b'],
    ['OWN_HOSTS', 'a.example:8080'],
    ['ALLOW_PRIVATE_TARGETS', 'ja'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '::/129'],
    ['TRUSTED_PROXIES', '10.0.0.0/'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['TRUSTED_PROXIES', '10.0.0'],
    ['TRUSTED_PROXIES', 'true'],
    ['CREDENTIALS_OFF', 'Bearer'],
    ['TIME_ZONE', 'Berlin'],
    ['LOGIN_ATTEMPTS', '1.0'],
    ['MAX_HEADERS', '0'],
    ['MAX_FILTER_BYTES', '1000000000'],
    ['LOG_LEVEL', 'INFO'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/?team=a'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', '10%'],
  ])('%s=%s is refused', (name, input) => {
    expect(namesIn(problems({ ...minimal, [name]: input }))).toEqual([name])
  })
})

describe('private targets', () => {
  test.each([
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://127.8.9.1:1',
    'http://[::1]:8080',
    'http://127.1',
  ])('may be allowed at %s', (baseUrl) => {
    expect(problems({ ...minimal, ALLOW_PRIVATE_TARGETS: 'true', BASE_URL: baseUrl })).toEqual([])
  })

  test.each([
    'https://hookline.example',
    'http://localhost.example',
    'http://127.example.com',
    'http://0.0.0.0',
    'http://10.0.0.1',
    'http://[::ffff:8.8.8.8]',
  ])('may not be allowed at %s', (baseUrl) => {
    const lines = problems({ ...minimal, ALLOW_PRIVATE_TARGETS: 'true', BASE_URL: baseUrl })
    expect(namesIn(lines)).toEqual(['ALLOW_PRIVATE_TARGETS'])
  })
})

test('the base address has no path, query or user', () => {
  for (const baseUrl of [
    'http://localhost/hooks',
    'http://localhost/?a=1',
    'http://localhost@hookline.example',
  ])
    expect(namesIn(problems({ ...minimal, BASE_URL: baseUrl }))).toEqual(['BASE_URL'])
})

describe('ports', () => {
  test('of the two listeners must differ, unless both are free ones', () => {
    expect(problems({ ...minimal, PORT: '9000', INTERNAL_PORT: '9000' })).toEqual([
      'PORT and INTERNAL_PORT are both 9000. Use different ports.',
    ])
    expect(problems({ ...minimal, PORT: '0', INTERNAL_PORT: '0' })).toEqual([])
  })

  test('give the address of the service if none is set', () => {
    expect(loadConfig({ ...minimal, PORT: '9000' }).baseUrl.href).toBe('http://localhost:9000/')
    expect(loadConfig(minimal).baseUrl.href).toBe('http://localhost:8080/')
  })
})

test('mail needs a sender', () => {
  const smtp = { ...minimal, SMTP_URL: 'smtps://u:p@mail.example' }
  expect(problems(smtp)).toEqual(['MAIL_FROM is not set. SMTP_URL requires it.'])
  expect(problems({ ...smtp, MAIL_FROM: 'hookline@mail.example' })).toEqual([])
})

test('every setting has a name of its own and stands in the documentation', () => {
  const names = Object.values(settings).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  expect(names.filter((name) => !page.includes(`| \`${name}\``))).toEqual([])
})
