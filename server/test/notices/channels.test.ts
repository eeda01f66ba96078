/** Channels: messages to chat services through the guarded door, and further addresses that must be confirmed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { call } from '../support/http-call.ts'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { addMember } from '../support/members.ts'
import {
  createHook,
  endBackoff,
  endHour,
  endWait,
  failSince,
  recover,
  untilQuiet,
} from '../support/notices.ts'
import { plantSecret, searchFor } from '../support/planted-secrets.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let mailServer: MailServer
let hookline: TestService
let chat: Receiver
let status = 200

beforeAll(async () => {
  mailServer = await startMailServer()
  hookline = await startDashboardService(
    {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'hookline@mail.example',
      ALLOW_PRIVATE_TARGETS: 'true',
      LOGIN_ATTEMPTS: '0',
    },
    'all',
  )
  chat = await startReceiver((_request, response) => {
    response.statusCode = status
    if (status === 302) response.setHeader('location', chat.url('/elsewhere'))
    response.end('ok')
  })
})
beforeEach(() => {
  status = 200
})
afterAll(async () => {
  await hookline.close()
  await chat.close()
  await mailServer.close()
})

interface Owner {
  account: TestAccount
  user: SignedIn
}

async function newOwner(): Promise<Owner> {
  const account = await hookline.account()
  return { account, user: await signIn(hookline.url, account) }
}

function post({ user }: Pick<Owner, 'user'>, path: string, json: object = {}) {
  return user.call(`/api/notices/channels${path}`, { method: 'POST', json })
}

async function channelsOf({ user }: Pick<Owner, 'user'>) {
  return (await user.call('/api/notices/channels')).json.channels
}

let paths = 0

/** Creates a channel of a chat service. Returns the path of its requests. */
async function addChat(
  owner: Owner,
  kind: 'slack' | 'teams' | 'json',
  settings: object = {},
): Promise<{ id: number; path: string }> {
  const path = `/services/${++paths}`
  const json = {
    kind,
    name: `#${kind}`,
    target: chat.url(path),
    groups: ['failing', 'lost'],
    mode: 'instant',
  }
  const created = await post(owner, '', { ...json, ...settings })
  expect(created.status, created.text).toBe(200)
  await hookline.database.query("DELETE FROM notices WHERE kind = 'account_changed'")
  return { id: created.json.id, path }
}

async function addFailing(account: TestAccount, name?: string): Promise<number> {
  const more = name === undefined ? {} : { name }
  const hookId = await createHook(hookline, account, `https://shop.example/${++paths}?token=secret`, more)
  await failSince(hookline, account, [hookId], '61 minutes')
  return hookId
}

async function settle(): Promise<void> {
  await endWait(hookline)
  await untilQuiet(hookline)
}

function bodies(path: string) {
  return chat.at(path).map(({ body }: ReceivedRequest) => JSON.parse(body))
}

describe('a chat channel', () => {
  test('of Slack gets blocks in which names cannot mention or link', async () => {
    const owner = await newOwner()
    const { path } = await addChat(owner, 'slack')
    const hookId = await addFailing(owner.account, 'Orders <!channel> & <https://evil.example|click>')
    await settle()
    const [message, ...others] = bodies(path)
    expect(others).toEqual([])
    const title = `Webhook ${hookId} “Orders <!channel> & <https://evil.example|click>” at shop.example is failing`
    expect(message.blocks[0]).toEqual({ type: 'header', text: { type: 'plain_text', text: title } })
    const text = JSON.stringify(message.blocks.slice(1))
    expect(text).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;')
    expect(text).not.toMatch(/<!|<https:\/\/evil/)
    expect(text).toContain(`<${hookline.url}/webhooks/${hookId}|View webhook>`)
    expect(text).not.toContain('token')
    expect(message.text).not.toContain('<')
    expect(message.blocks.length).toBeLessThanOrEqual(50)
  })

  test('of Teams gets an adaptive card in which names add no markup', async () => {
    const owner = await newOwner()
    const { path } = await addChat(owner, 'teams')
    const hookId = await addFailing(owner.account, '[click](https://evil.example) **now**')
    await settle()
    const [message] = bodies(path)
    const [{ contentType, content: card }] = message.attachments
    expect(contentType).toBe('application/vnd.microsoft.card.adaptive')
    expect(card.actions).toEqual([
      { type: 'Action.OpenUrl', title: 'View webhook', url: `${hookline.url}/webhooks/${hookId}` },
    ])
    const text = card.body.map((block: { text: string }) => block.text).join('\n')
    expect(text).toContain(String.raw`\[click\]\(https://evil.example\) \*\*now\*\*`)
    expect(text).not.toMatch(/(?<!\\)\[click/)
  })

  test('of JSON gets the facts of each notice, and a text for simple chat services', async () => {
    const owner = await newOwner()
    const { path } = await addChat(owner, 'json')
    const hookId = await addFailing(owner.account, 'Orders')
    await settle()
    const [message] = bodies(path)
    expect(message).toMatchObject({
      type: 'notices',
      title: `Webhook ${hookId} “Orders” at shop.example is failing`,
      url: `${hookline.url}/webhooks/${hookId}`,
      account: { id: owner.account.accountId, name: owner.account.alias },
      notices: [
        {
          kind: 'failing_1h',
          group: 'failing',
          webhook: { id: hookId, name: 'Orders', host: 'shop.example' },
          since: expect.stringMatching(/^\d{4}-.*Z$/),
          message: expect.stringContaining('All attempts since'),
        },
      ],
      more: 0,
    })
    expect(message.text).toContain('Orders')
    expect(chat.at(path)[0]?.headers['content-type']).toBe('application/json')
  })

  test('gets only its groups, and a recovery only if it got the failure', async () => {
    const owner = await newOwner()
    const told = await addChat(owner, 'json', { groups: ['failing'] })
    const untold = await addChat(owner, 'json', { groups: ['lost'] })
    const hookId = await addFailing(owner.account)
    await settle()
    await post(owner, `/${untold.id}`, { groups: ['failing', 'lost'] })
    await recover(hookline, owner.account.accountId, [hookId])
    await endHour(hookline, owner.account)
    await settle()
    expect(bodies(told.path).map(({ notices }) => notices[0].kind)).toEqual(['failing_1h', 'recovered'])
    expect(bodies(untold.path)).toEqual([])
  })

  test('gets at most one message per hour for what is not urgent', async () => {
    const owner = await newOwner()
    const { path } = await addChat(owner, 'json')
    await addFailing(owner.account)
    await settle()
    await addFailing(owner.account)
    await settle()
    expect(bodies(path)).toHaveLength(1)
    await endHour(hookline, owner.account)
    await untilQuiet(hookline)
    expect(bodies(path)).toHaveLength(2)
  })

  test('with weekly messages waits for Monday 08:00 UTC', async () => {
    const owner = await newOwner()
    const { id, path } = await addChat(owner, 'json', { mode: 'weekly' })
    await addFailing(owner.account)
    await settle()
    expect(bodies(path)).toEqual([])
    const rows = await hookline.database.query(
      `SELECT to_char(send_at AT TIME ZONE 'UTC', 'ID HH24:MI:SS') AS at,
              send_at > now() AND send_at <= now() + interval '7 days' AS is_next
       FROM notice_recipients WHERE channel_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ at: '1 08:00:00', is_next: true }])
  })

  test.each([
    [500, 'queued', 'status'],
    [429, 'queued', 'status'],
    [404, 'refused', 'status'],
    [302, 'refused', 'redirect'],
  ])('that responds %d has the message %s, and no redirect is followed', async (code, state, reason) => {
    status = code
    const owner = await newOwner()
    const { path } = await addChat(owner, 'slack')
    await addFailing(owner.account)
    await settle()
    const [channel] = await channelsOf(owner)
    expect(channel.last).toMatchObject({ state, response_code: code, reason, is_test: false })
    expect(chat.at('/elsewhere')).toEqual([])
    status = 200
    await endBackoff(hookline)
    await untilQuiet(hookline)
    expect(chat.at(path)).toHaveLength(state === 'queued' ? 2 : 1)
    const ids = new Set(chat.at(path).map(({ headers }) => headers['x-hookline-message']))
    expect(ids.size, 'all attempts have the same id').toBe(1)
  })

  test('shows the result of a test, to all members', async () => {
    const owner = await newOwner()
    const { id, path } = await addChat(owner, 'teams')
    const none = { canReveal: false, canExport: false }
    const viewer = await addMember(hookline, owner.account, { role: 'viewer', ...none })
    expect((await post(owner, `/${id}/test`)).status).toBe(200)
    await untilQuiet(hookline)
    expect(JSON.stringify(bodies(path))).toContain('Test message from Hookline')
    const [channel] = await channelsOf({ user: await signIn(hookline.url, viewer) })
    expect(channel).toMatchObject({
      target: new URL(chat.url()).host,
      last: { state: 'sent', is_test: true, response_code: 200 },
    })
  })

  test('that is deleted gets nothing more, not even a message that is queued', async () => {
    status = 500
    const owner = await newOwner()
    const { id, path } = await addChat(owner, 'json')
    await addFailing(owner.account)
    await settle()
    expect(chat.at(path)).toHaveLength(1)
    status = 200
    expect((await owner.user.call(`/api/notices/channels/${id}`, { method: 'DELETE' })).status).toBe(200)
    await endBackoff(hookline)
    await addFailing(owner.account)
    await settle()
    expect(chat.at(path)).toHaveLength(1)
  })

  test('of a suspended account gets nothing', async () => {
    const owner = await newOwner()
    const { path } = await addChat(owner, 'json')
    await addFailing(owner.account)
    await hookline.database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [
      owner.account.accountId,
    ])
    await settle()
    expect(chat.at(path)).toEqual([])
  })

  test('stores and shows its URL nowhere in clear text', async () => {
    const owner = await newOwner()
    const secret = plantSecret('plain').text
    await addChat(owner, 'slack', { target: chat.url(`/${secret}`) })
    const [dump] = await hookline.database.query<{ text: string }>(
      'SELECT json_agg(channels)::text AS text FROM notice_channels AS channels',
    )
    const audit = await owner.user.call('/api/audit')
    const list = await owner.user.call('/api/notices/channels')
    const search = searchFor([secret])
    expect(search(`${dump?.text} ${audit.text} ${list.text} ${hookline.service.output()}`)).toEqual([])
  })

  test.each([
    ['http://169.254.169.254/latest', 'an address that is not public'],
    ['ftp://hooks.example/', 'another protocol'],
    ['https://user:password@hooks.example/', 'credentials in the URL'],
    ['not a url', 'no URL'],
  ])('rejects %s: %s', async (target) => {
    const owner = await newOwner()
    const json = { kind: 'json', name: 'x', target, groups: ['failing'], mode: 'instant' }
    const rejected = await post(owner, '', json)
    expect([rejected.status, rejected.json.success]).toEqual([400, false])
    expect(await channelsOf(owner)).toEqual([])
  })

  test('rejects the URLs of this service', async () => {
    const owner = await newOwner()
    const json = { kind: 'json', name: 'x', groups: ['failing'], mode: 'instant' }
    const rejected = await post(owner, '', { ...json, target: `${hookline.url}/_canary` })
    expect(rejected.status).toBe(400)
  })
})

describe('channels', () => {
  test('that never respond do not delay the notices of other accounts', async () => {
    const silent = await startReceiver(() => new Promise(() => {}))
    try {
      const crowd = await Promise.all(Array.from({ length: 15 }, newOwner))
      const hanging = crowd.flatMap((owner) =>
        Array.from({ length: 4 }, () => addChat(owner, 'json', { target: silent.url(`/${++paths}`) })),
      )
      await Promise.all(hanging)
      const owner = await newOwner()
      const { path } = await addChat(owner, 'json')
      for (const { account } of [...crowd, owner]) await addFailing(account)
      const startedAt = performance.now()
      await endWait(hookline)
      await expect.poll(() => chat.at(path), { timeout: 15_000 }).toHaveLength(1)
      await expect.poll(() => mailServer.mailsTo(owner.account.email), { timeout: 15_000 }).toHaveLength(1)
      // The 60 messages that hang take 5 seconds each.
      expect(performance.now() - startedAt).toBeLessThan(5_000)
      expect(silent.requests.length, 'one per account at a time').toBeLessThanOrEqual(2 * crowd.length)
    } finally {
      await hookline.database.query('DELETE FROM notice_channels')
      await silent.close()
    }
  })

  test('are managed by developers, and by nobody else', async () => {
    const owner = await newOwner()
    const { id } = await addChat(owner, 'slack')
    const rights = { canReveal: true, canExport: true }
    const support = await addMember(hookline, owner.account, { role: 'support', ...rights })
    const stranger = await newOwner()
    const caller = { user: await signIn(hookline.url, support) }
    const json = { kind: 'json', name: 'x', target: chat.url('/x'), groups: ['failing'], mode: 'instant' }
    for (const [path, body] of [
      ['', json],
      [`/${id}`, { name: 'y' }],
      [`/${id}/test`, {}],
      [`/${id}/resend`, {}],
    ] as const) {
      expect((await post(caller, path, body)).json.code, `support ${path}`).toBe(913)
      if (path !== '') expect((await post(stranger, path, body)).status, `stranger ${path}`).toBe(404)
    }
    expect((await caller.user.call(`/api/notices/channels/${id}`, { method: 'DELETE' })).json.code).toBe(913)
    expect((await stranger.user.call(`/api/notices/channels/${id}`, { method: 'DELETE' })).status).toBe(404)
    expect(await channelsOf(stranger)).toEqual([])
    expect(await channelsOf(owner)).toMatchObject([{ id, name: '#slack' }])
  })

  test('are at most 20', async () => {
    const owner = await newOwner()
    await hookline.database.query(
      `INSERT INTO notice_channels (account_id, kind, name, url, host, kind_groups, mode, confirmed_at)
       SELECT $1, 'json', 'x', '', 'x', '{failing}', 'instant', now() FROM generate_series(1, 20)`,
      [owner.account.accountId],
    )
    const json = { kind: 'json', name: 'x', target: chat.url('/x'), groups: ['failing'], mode: 'instant' }
    const rejected = await post(owner, '', json)
    expect([rejected.status, rejected.json.code]).toEqual([409, 1212])
  })

  test('can be created and tested ten times per minute', async () => {
    const owner = await newOwner()
    const { id } = await addChat(owner, 'json')
    await hookline.database.query(
      "UPDATE change_counts SET in_minute = 9, minute = date_trunc('minute', now(), 'UTC') WHERE account_id = $1 AND kind = 'channels'",
      [owner.account.accountId],
    )
    const codes = [await post(owner, `/${id}/test`), await post(owner, `/${id}/test`)].map(
      ({ json }) => json.code,
    )
    expect(codes).toEqual([null, 1208])
  })
})

const shared = (name: string) => `${name}-${++paths}@shared.example`

async function addEmail(owner: Owner, address: string) {
  const json = { kind: 'email', name: 'On call', target: address, groups: ['failing'], mode: 'instant' }
  const created = await post(owner, '', json)
  await hookline.database.query("DELETE FROM notices WHERE kind = 'account_changed'")
  return created
}

async function linkTo(address: string): Promise<string> {
  await expect.poll(() => mailServer.mailsTo(address).length, { timeout: 15_000 }).toBeGreaterThan(0)
  const mail = mailServer.mailsTo(address).at(-1)
  return /(http:\/\/\S+\/notices\/confirm\?token=[\w-]{43})\s/.exec(mail?.text ?? '')?.[1] ?? ''
}

describe('an email channel', () => {
  test('gets nothing but the link until its holder confirms with a POST', async () => {
    const owner = await newOwner()
    const address = shared('ops')
    expect((await addEmail(owner, address)).status).toBe(200)
    const link = await linkTo(address)
    expect(await channelsOf(owner)).toMatchObject([{ target: address, is_confirmed: false }])
    const [{ id }] = await channelsOf(owner)
    expect((await post(owner, `/${id}/test`)).status).toBe(404)
    await addFailing(owner.account)
    await settle()
    for (const method of ['GET', 'HEAD']) await call(link, { method })
    expect(mailServer.mailsTo(address), 'a scanner that opens the link confirms nothing').toHaveLength(1)
    expect((await channelsOf(owner))[0].is_confirmed).toBe(false)

    const page = await call(link, { method: 'POST', form: {} })
    expect(page.status).toBe(200)
    expect(page.text).toContain('Confirmed')
    expect((await channelsOf(owner))[0].is_confirmed).toBe(true)
    expect((await call(link, { method: 'POST', form: {} })).status, 'works once').toBe(404)

    await addFailing(owner.account)
    await settle()
    expect(mailServer.mailsTo(address)).toHaveLength(2)
  })

  test('is deleted by its own unsubscribe link, with one click', async () => {
    const owner = await newOwner()
    const address = shared('ops')
    await addEmail(owner, address)
    await call(await linkTo(address), { method: 'POST', form: {} })
    await addFailing(owner.account)
    await settle()
    const mail = mailServer.mailsTo(address).at(-1)
    expect(mail?.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const [, link = ''] = /^<(.*)>$/.exec(mail?.header('list-unsubscribe') ?? '') ?? []
    await call(link)
    expect(await channelsOf(owner), 'a GET changes nothing').toHaveLength(1)
    expect((await call(link, { method: 'POST', form: { 'List-Unsubscribe': 'One-Click' } })).status).toBe(200)
    expect(await channelsOf(owner)).toEqual([])
    expect((await owner.user.call('/api/audit')).json.entries[0]).toMatchObject({
      actor: 'visitor',
      action: 'channel.delete',
    })
  })

  test('has a link that expires after 24 hours, and is replaced by a new one', async () => {
    const owner = await newOwner()
    const address = shared('ops')
    const { json } = await addEmail(owner, address)
    const first = await linkTo(address)
    expect((await post(owner, `/${json.id}/resend`)).status).toBe(200)
    await expect.poll(() => mailServer.mailsTo(address), { timeout: 15_000 }).toHaveLength(2)
    const second = await linkTo(address)
    expect((await call(first, { method: 'POST', form: {} })).status, 'replaced').toBe(404)
    await hookline.database.query(
      "UPDATE notice_channels SET confirm_until = confirm_until - interval '24 hours' WHERE id = $1",
      [json.id],
    )
    expect((await call(second, { method: 'POST', form: {} })).status, 'expired').toBe(404)
    expect((await channelsOf(owner))[0].is_confirmed).toBe(false)
  })

  test('needs a valid address that is not a channel yet', async () => {
    const owner = await newOwner()
    const address = shared('ops')
    await addEmail(owner, address)
    for (const target of [address.toUpperCase(), 'not an address', 'a@b.example, c@d.example']) {
      const rejected = await addEmail(owner, target)
      expect([rejected.status, rejected.json.code], target).toEqual([400, 1012])
    }
  })

  test('gets a link without dots of the account, which mail programs would make clickable', async () => {
    const owner = await newOwner()
    await hookline.database.query("UPDATE accounts SET name = 'evil.example/login' WHERE id = $1", [
      owner.account.accountId,
    ])
    const address = shared('ops')
    await addEmail(owner, address)
    await linkTo(address)
    expect(mailServer.mailsTo(address)[0]?.text).not.toContain('evil.example')
  })
})
