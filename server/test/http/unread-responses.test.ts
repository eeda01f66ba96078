/** Unread responses are limited per account and do not affect other accounts. */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../support/http-call.ts'
import { signIn } from '../support/browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
beforeAll(async () => {
  hookline = await startDashboardService()
})
afterAll(() => hookline.close())

/** Creates an account with a webhook list of about 17 MB, far more than the kernel buffers. */
async function createAccountWithLongList(): Promise<TestAccount> {
  const account = await hookline.account()
  await hookline.database.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT $1, url, url, 'all', 'JSON', uuid_send(gen_random_uuid())
     FROM generate_series(1, 8000) AS n, LATERAL (SELECT 'https://example.com/' || n || repeat('x', 2000) AS url) AS urls`,
    [account.accountId],
  )
  return account
}

/** Requests the list without reading the response. */
function requestWithoutReading(key: string): Socket {
  const { hostname, port } = new URL(hookline.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET /api/hooks HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${key}\r\n\r\n`)
  return socket
}

test('a key with unread responses is rejected; other accounts and user sessions are not', async () => {
  const account = await createAccountWithLongList()
  const { key: other } = await hookline.account()
  const user = await signIn(hookline.url, account)
  const replays = (key: string) => call(`${hookline.url}/api/replays`, { key })
  const sockets = Array.from({ length: 2 }, () => requestWithoutReading(account.key))
  // Polls until the second response is written, which exceeds the limit of the account.
  await expect
    .poll(async () => (await replays(account.key)).json.error_message ?? '', {
      timeout: 60_000,
      interval: 250,
    })
    .toContain('unread responses (over 32 MB)')
  expect((await replays(other)).status).toBe(200)
  expect((await user.call(`/api/keys/${account.keyId}`, { method: 'DELETE' })).status).toBe(200)
  for (const socket of sockets) socket.destroy()
}, 90_000)
