/** The second factor: setting it up, signing in with it, and that a password alone then lets nobody in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runAdmin } from './admin-tool.ts'
import { appCode } from './authenticator.ts'
import { call, type CallAnswer } from './call.ts'
import { holdUp } from './hold-up.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { signIn, type SignedIn } from './person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'

let mailServer: MailServer
let world: TestWorld
beforeAll(async () => {
  mailServer = await startMailServer()
  world = await startAreaWorld({ SMTP_URL: mailServer.url, MAIL_FROM: 'hookline@mail.example' })
})
afterAll(async () => {
  await world.close()
  await mailServer.close()
})

let account: TestAccount
let person: SignedIn
beforeEach(async () => {
  account = await world.account()
  person = await signIn(world.url, account)
})

const done = { success: true, code: null }

function post(path: string, json: object): Promise<CallAnswer> {
  return person.call(path, { method: 'POST', json })
}

function enter(code?: string, password = account.password): Promise<CallAnswer> {
  const json = { login: account.alias, password, ...(code !== undefined && { code }) }
  return call(`${world.url}/api/session`, { method: 'POST', json, headers: { origin: world.url } })
}

function outcome({ status, json }: CallAnswer): [number, number | null] {
  return [status, json.code]
}

async function begin(): Promise<string> {
  const begun = await post('/api/second-factor', { password: account.password })
  expect(begun.status).toBe(200)
  return begun.json.secret
}

/** Answers the app's secret, the code that was used and the recovery codes. */
async function switchOn(): Promise<{ secret: string; code: string; recoveryCodes: string[] }> {
  const secret = await begin()
  const code = appCode(secret)
  const confirmed = await post('/api/second-factor/confirm', { code })
  expect(confirmed.status).toBe(200)
  return { secret, code, recoveryCodes: confirmed.json.recovery_codes }
}

async function audited(action: string): Promise<object[]> {
  const { entries } = (await person.call('/api/audit')).json
  return entries.filter((entry: { action: string }) => entry.action === action)
}

/** As if the codes used so far were long ago. */
async function forgetUsedCodes(): Promise<void> {
  await world.database.query('UPDATE logins SET totp_last_step = 0 WHERE id = $1', [account.loginId])
}

describe('setting it up', () => {
  test('needs the password, shows the secret in both forms, and changes nothing before the first code', async () => {
    const wrong = await post('/api/second-factor', { password: 'not the password' })
    expect(outcome(wrong)).toEqual([403, 910])
    const begun = await post('/api/second-factor', { password: account.password })
    expect(begun.json).toEqual({
      ...done,
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: `otpauth://totp/Hookline%20127.0.0.1:${account.alias}?secret=${begun.json.secret}&issuer=Hookline%20127.0.0.1&algorithm=SHA1&digits=6&period=30`,
    })
    expect((await person.call('/api/session')).json.login.second_factor).toBe(false)
    expect(outcome(await enter())).toEqual([200, null])
  })

  test('is finished by a code of the app, and answers ten recovery codes', async () => {
    const secret = await begin()
    expect(outcome(await post('/api/second-factor/confirm', { code: wrongCode(secret) }))).toEqual([401, 912])
    expect(outcome(await enter())).toEqual([200, null])
    // People copy codes with a space in the middle.
    const code = appCode(secret).replace(/^.../, '$& ')
    const confirmed = await post('/api/second-factor/confirm', { code })
    expect(confirmed.status).toBe(200)
    const { recovery_codes: codes } = confirmed.json
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const one of codes) expect(one).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
    expect((await person.call('/api/session')).json.login).toMatchObject({
      second_factor: true,
      recovery_codes_left: 10,
    })
    await expect.poll(() => mailServer.mailsTo(account.email), { timeout: 15_000 }).toHaveLength(1)
    expect(mailServer.mailsTo(account.email)[0]?.text).toContain('asks for a code')
  })

  test('can be begun anew until then; the older secret is void', async () => {
    const older = await begin()
    const newer = await begin()
    expect(newer).not.toBe(older)
    const withOlder = await post('/api/second-factor/confirm', { code: appCode(older) })
    // By chance, once in 300,000 runs, both secrets have the same code.
    expect(outcome(withOlder)).toEqual([401, 912])
    expect((await post('/api/second-factor/confirm', { code: appCode(newer) })).status).toBe(200)
  })

  test('is refused where there is one, which stays as it is', async () => {
    const { secret } = await switchOn()
    expect(outcome(await post('/api/second-factor', { password: account.password }))).toEqual([409, 1131])
    expect(outcome(await post('/api/second-factor/confirm', { code: appCode(secret) }))).toEqual([404, 1102])
    await forgetUsedCodes()
    expect(outcome(await enter(appCode(secret)))).toEqual([200, null])
  })

  test('cannot be confirmed before it is begun', async () => {
    expect(outcome(await post('/api/second-factor/confirm', { code: '123456' }))).toEqual([404, 1102])
  })
})

describe('signing in', () => {
  test('asks for the code only after the right password', async () => {
    const { secret } = await switchOn()
    expect(outcome(await enter())).toEqual([401, 911])
    expect(outcome(await enter(''))).toEqual([401, 911])
    expect(outcome(await enter(undefined, 'not the password'))).toEqual([401, 900])
    await forgetUsedCodes()
    expect(outcome(await enter(appCode(secret), 'not the password'))).toEqual([401, 900])
    expect(outcome(await enter(appCode(secret)))).toEqual([200, null])
  })

  test('sets no cookie without the code', async () => {
    const { secret } = await switchOn()
    for (const answer of [await enter(), await enter(wrongCode(secret))])
      expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('takes each code once, and none older than the last', async () => {
    const { secret, code } = await switchOn()
    expect(outcome(await enter(code)), 'the code that switched it on').toEqual([401, 912])
    await forgetUsedCodes()
    const next = appCode(secret, 1)
    expect(outcome(await enter(next))).toEqual([200, null])
    expect(outcome(await enter(next))).toEqual([401, 912])
    expect(outcome(await enter(appCode(secret, -1)))).toEqual([401, 912])
  })

  test('of two at once with one code lets one in', async () => {
    const { secret } = await switchOn()
    await forgetUsedCodes()
    const code = appCode(secret)
    const answers = await holdUp(world, 'LOCK TABLE logins IN SHARE ROW EXCLUSIVE MODE', 3, () =>
      Promise.all([enter(code), enter(code), enter(code)]),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401])
  })

  test('takes no code of another time', async () => {
    const { secret } = await switchOn()
    for (const far of [-3, 3]) {
      await forgetUsedCodes()
      expect(outcome(await enter(appCode(secret, far))), String(far)).toEqual([401, 912])
    }
  })

  test('takes a recovery code once, however it is typed, and tells how many are left', async () => {
    const { recoveryCodes } = await switchOn()
    const [one = '', two = ''] = recoveryCodes
    const typed = ` ${one.toUpperCase().replaceAll('-', ' ')} `
    const entered = await enter(typed)
    expect(outcome(entered)).toEqual([200, null])
    expect(entered.json.login.recovery_codes_left).toBe(9)
    expect(outcome(await enter(one))).toEqual([401, 912])
    const both = await holdUp(world, 'LOCK TABLE recovery_codes IN SHARE MODE', 2, () =>
      Promise.all([enter(two), enter(two)]),
    )
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    expect(await audited('second-factor.use-recovery-code')).toHaveLength(2)
  })

  test("takes nobody else's recovery code", async () => {
    const { recoveryCodes } = await switchOn()
    account = await world.account()
    person = await signIn(world.url, account)
    await switchOn()
    expect(outcome(await enter(recoveryCodes[0]))).toEqual([401, 912])
  })

  test('writes wrong codes down', async () => {
    const { secret } = await switchOn()
    await enter(wrongCode(secret))
    await expect.poll(() => audited('session.fail')).toHaveLength(1)
  })

  test('stops guessing of codes, wherever it comes from', async () => {
    const { secret, recoveryCodes } = await switchOn()
    const narrow = await world.startAnother({
      PORT: '0',
      LOGIN_ATTEMPTS: '3',
      TRUSTED_PROXIES: '127.0.0.1',
    })
    const statuses: number[] = []
    for (const [place, code] of ['111111', '222222', 'wrong-wrong-code', '333333'].entries()) {
      const tried = await call(`${narrow.url}/api/session`, {
        method: 'POST',
        json: { login: account.alias, password: account.password, code },
        headers: { origin: world.url, 'x-forwarded-for': `192.0.2.${place + 1}` },
      })
      statuses.push(tried.json.code)
    }
    expect(statuses).toEqual([912, 912, 912, 907])
    // Even the right one is not looked at now.
    const right = await call(`${narrow.url}/api/session`, {
      method: 'POST',
      json: { login: account.alias, password: account.password, code: recoveryCodes[0] },
      headers: { origin: world.url, 'x-forwarded-for': '192.0.2.99' },
    })
    expect(outcome(right)).toEqual([429, 907])
    expect(secret).toHaveLength(32)
  })
})

describe('with a second factor', () => {
  test('login and password are no credential of the API any more, and that is said', async () => {
    const u = { u: account.alias, p: account.password }
    const before = await call(`${world.url}/api/hooks?${new URLSearchParams(u).toString()}`)
    expect(before.status).toBe(200)
    await switchOn()
    for (const [method, form] of [
      ['GET', u],
      ['POST', { ...u, target_url: 'https://example.com/', event_type: 'all' }],
      ['POST', { ...u, action: 'read' }],
    ] as const) {
      const query = method === 'GET' ? `?${new URLSearchParams(form).toString()}` : ''
      const refused = await call(`${world.url}/api/hooks${query}`, {
        method,
        ...(method === 'POST' && { form }),
      })
      expect(outcome(refused)).toEqual([401, 911])
      expect(refused.json.error_message).toContain('X-Api-Key')
    }
    const wrong = await call(`${world.url}/api/hooks?u=${account.alias}&p=not-the-password`)
    expect(outcome(wrong)).toEqual([401, 900])
    expect((await call(`${world.url}/api/hooks`, { key: account.key })).status).toBe(200)
  })

  test('a reset by mail leaves it on', async () => {
    const { secret } = await switchOn()
    await call(`${world.url}/api/password-resets`, {
      method: 'POST',
      json: { login: account.alias },
      headers: { origin: world.url },
    })
    const links = () =>
      mailServer.mailsTo(account.email).flatMap(({ text }) => /token=([\w-]{43})/.exec(text)?.[1] ?? [])
    await expect.poll(links, { timeout: 15_000 }).toHaveLength(1)
    const json = { token: links()[0], new_password: 'from the mail' }
    await call(`${world.url}/api/password-resets/confirm`, {
      method: 'POST',
      json,
      headers: { origin: world.url },
    })
    expect(outcome(await enter(undefined, 'from the mail'))).toEqual([401, 911])
    await forgetUsedCodes()
    expect(outcome(await enter(appCode(secret), 'from the mail'))).toEqual([200, null])
  })
})

describe('switching it off', () => {
  test('needs the password, voids the recovery codes and tells the owner', async () => {
    const { recoveryCodes } = await switchOn()
    const remove = (password: string) =>
      person.call('/api/second-factor', { method: 'DELETE', json: { password } })
    expect(outcome(await remove('not the password'))).toEqual([403, 910])
    expect(outcome(await enter())).toEqual([401, 911])
    expect(outcome(await remove(account.password))).toEqual([200, null])
    expect(outcome(await enter())).toEqual([200, null])
    expect(outcome(await remove(account.password))).toEqual([404, 1102])
    await expect
      .poll(
        () =>
          mailServer
            .mailsTo(account.email)
            .map(({ text }) => text)
            .join(),
        { timeout: 15_000 },
      )
      .toContain('no longer asks for a code')
    await switchOn()
    expect(outcome(await enter(recoveryCodes[0]))).toEqual([401, 912])
    const { entries } = (await person.call('/api/audit')).json
    const actions = entries.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['second-factor.on', 'second-factor.off']))
  })

  test('is done by the operator for somebody who lost everything', async () => {
    await switchOn()
    const env = { DATABASE_URL: world.database.url.href, MASTER_KEY: world.masterKey }
    const args = ['login', 'remove-second-factor', account.email]
    expect((await runAdmin(env, args)).code).toBe(0)
    expect(outcome(await enter())).toEqual([200, null])
    const again = await runAdmin(env, args)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Nobody')])
    const { entries } = (await person.call('/api/audit')).json
    expect(entries).toContainEqual(
      expect.objectContaining({ actor: 'operator', action: 'second-factor.off' }),
    )
  })
})

/** Six digits that are no code of about now. */
function wrongCode(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((periods) => appCode(secret, periods)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code)) ?? ''
}
