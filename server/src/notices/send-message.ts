/** Sends a leased message: reads what is still true, renders it for its recipient, sends it, records the result. */
import type { Database } from '../db/database.ts'
import type { Send } from '../delivery/transport/send.ts'
import { readAccountName } from '../identity/accounts/accounts.ts'
import { readUsers } from '../identity/members/recipients.ts'
import type { Log } from '../runtime/log.ts'
import type { MailTransport } from '../runtime/mail-transport.ts'
import type { Vault } from '../vault/vault.ts'
import { type OpenChannel, readOpenChannel } from './channels.ts'
import { contentOf, testContent } from './message-content.ts'
import { readMessageNotices } from './message-notices.ts'
import { type AttemptResult, type LeasedMessage, settleMessage } from './message-queue.ts'
import type { PreparedMessage } from './prepared-message.ts'
import { chatLimits } from './render-chat.ts'
import { sendChat } from './send-chat.ts'
import { channelEmail, sendEmail, userEmail } from './send-email.ts'

export interface SendDeps {
  db: Database
  vault: Vault
  baseUrl: URL
  /** Undefined if this installation sends no email. */
  transport: MailTransport | undefined
  /** The guarded door to receivers, for channels with a URL. */
  send: Send
  log: Log
}

type Recipient = { kind: 'user'; email: string } | { kind: 'channel'; channel: OpenChannel }

export async function sendMessage(deps: SendDeps, leased: LeasedMessage): Promise<void> {
  const result = await attempt(deps, leased).catch(async (error: unknown) => {
    await settleMessage(deps.db, leased, { state: 'failed', address: null })
    throw error
  })
  await settleMessage(deps.db, leased, result)
}

async function attempt(deps: SendDeps, leased: LeasedMessage): Promise<AttemptResult> {
  const { db, baseUrl, log } = deps
  const recipient = await findRecipient(deps, leased)
  if (recipient === undefined) return { state: 'dropped' }
  const notices = leased.isTest ? [] : await readMessageNotices(db, leased)
  if (!leased.isTest && notices.length === 0) return { state: 'dropped' }
  const account = { id: leased.accountId, name: await readAccountName(db, leased.accountId) }
  const message: PreparedMessage = { leased, notices, account }
  const isChat = recipient.kind === 'channel' && recipient.channel.kind !== 'email'
  const content = leased.isTest
    ? testContent(account.name, baseUrl)
    : contentOf(notices, baseUrl, isChat ? chatLimits : undefined)
  const result = await sendTo(deps, message, recipient, content)
  const { state } = result
  if (state === 'failed' || state === 'refused') {
    const { responseCode, reason } = result
    const line = { account: account.id, message: leased.id, response_code: responseCode, reason }
    log.warn(line, state === 'failed' ? 'notice failed, retrying' : 'notice refused')
  }
  return result
}

function sendTo(
  deps: SendDeps,
  message: PreparedMessage,
  recipient: Recipient,
  content: ReturnType<typeof contentOf>,
): Promise<AttemptResult> {
  if (recipient.kind === 'user') return sendEmail(deps, userEmail(deps, message, recipient.email, content))
  const { channel } = recipient
  if (channel.kind === 'email') return sendEmail(deps, channelEmail(deps, message, channel, content))
  return sendChat(deps, message, channel, content)
}

/** Returns undefined if the recipient is to get nothing any more. */
async function findRecipient(
  { db, vault }: SendDeps,
  { accountId, loginId, channelId, toAddress }: LeasedMessage,
): Promise<Recipient | undefined> {
  if (channelId !== null) {
    const channel = await readOpenChannel(db, vault, accountId, channelId)
    return channel && { kind: 'channel', channel }
  }
  // A former member gets notices about the login only.
  const [user] = loginId === null ? [] : await readUsers(db, accountId, [loginId])
  return user && { kind: 'user', email: toAddress ?? user.email }
}
