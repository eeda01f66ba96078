/** Bounces: Postfix accepts an email, the next server refuses it, and Postfix reports that to the return path. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runAdmin } from '../support/admin-tool.ts'
import { signIn } from '../support/browser-session.ts'
import { createHook, endWait, failSince, untilQuiet } from '../support/notices.ts'
import { type Postfix, startPostfix } from '../support/servers/postfix.ts'
import { startDashboardService, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

const returnPath = 'bounces@hooks.example'

/** Emails that arrived, by recipient. */
const arrived = new Map<string, string>()
/** Addresses that do not exist. */
const unknown = new Set<string>()

const destination = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onRcptTo({ address }, _session, done) {
    if (unknown.has(address)) done(Object.assign(new Error('5.1.1 unknown user'), { responseCode: 550 }))
    else done()
  },
  onData(stream, session, done) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      for (const { address } of session.envelope.rcptTo)
        arrived.set(address, Buffer.concat(chunks).toString())
      done()
    })
  },
})
let postfix: Postfix
let hookline: TestService
let settings: Record<string, string>

beforeAll(async () => {
  await new Promise<void>((resolve) => destination.listen(0, '127.0.0.1', resolve))
  postfix = await startPostfix((destination.server.address() as AddressInfo).port)
  hookline = await startDashboardService(
    { SMTP_URL: postfix.url, MAIL_FROM: 'Hookline <hookline@hooks.example>', MAIL_RETURN_PATH: returnPath },
    'all',
  )
  settings = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
})
afterAll(async () => {
  await hookline.close()
  await postfix.close()
  await new Promise<void>((resolve) => destination.close(() => resolve()))
})

test('an email that bounces is shown as such, with the status of the report', async () => {
  const account = await hookline.account()
  const colleague = await hookline.account()
  unknown.add(account.email)
  for (const each of [account, colleague]) {
    const hookId = await createHook(hookline, each, 'https://shop.example/')
    await failSince(hookline, each, [hookId], '61 minutes')
  }
  await endWait(hookline)
  await untilQuiet(hookline)
  const stateOf = async (each: typeof account) => {
    const { notices } = (await (await signIn(hookline.url, each)).call('/api/notices')).json
    const failing = notices.find(({ kind }: { kind: string }) => kind === 'failing_1h')
    const [{ state, reason }] = failing.messages
    return [state, reason]
  }
  expect(await stateOf(account), 'accepted by Postfix').toEqual(['sent', null])

  await expect.poll(() => arrived.get(returnPath), { timeout: 20_000 }).toBeDefined()
  expect(arrived.has(account.email)).toBe(false)
  const recorded = await runAdmin(settings, ['notice', 'bounce'], arrived.get(returnPath))
  expect(recorded).toEqual({ code: 0, stdout: 'Recorded: 5.1.1.\n', stderr: '' })
  expect(await stateOf(account)).toEqual(['bounced', '5.1.1'])
  const bouncedOf = async (each: typeof account) =>
    (await (await signIn(hookline.url, each)).call('/api/notices/preferences')).json.bounced
  expect(await bouncedOf(account)).toMatchObject({ state: 'bounced', reason: '5.1.1' })
  expect(await bouncedOf(colleague)).toBeNull()
  expect(arrived.has(colleague.email)).toBe(true)
  expect(await stateOf(colleague)).toEqual(['sent', null])
})

test('mail to the return path that is no report changes nothing, and is no error', async () => {
  for (const mail of [
    '',
    'Subject: hello\n\nAction: failed',
    arrived.get(returnPath)?.replaceAll(/[0-9a-f]{12}@/g, '000000000000@'),
  ])
    expect(await runAdmin(settings, ['notice', 'bounce'], mail)).toEqual({
      code: 0,
      stdout: 'No sent email has bounced.\n',
      stderr: '',
    })
})
