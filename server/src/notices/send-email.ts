/** Sends a leased email: reads what is still true, renders, sends, records the result. */
import type { Database } from '../db/database.ts'
import { readAccountName } from '../identity/accounts/accounts.ts'
import { readRecipients } from '../identity/members/recipients.ts'
import { noticeKinds } from '../model/notice.ts'
import type { Log } from '../runtime/log.ts'
import type { Email, MailTransport } from '../runtime/mail-transport.ts'
import type { Vault } from '../vault/vault.ts'
import { readEmailNotices } from './email-notices.ts'
import { type AttemptResult, type LeasedEmail, settleEmail } from './email-queue.ts'
import type { HookNotice } from './group-notices.ts'
import { renderNotices, renderTest } from './render-email.ts'
import { type UnsubscribeGroup, unsubscribeUrl } from './unsubscribe-link.ts'

export interface SendDeps {
  db: Database
  vault: Vault
  baseUrl: URL
  transport: MailTransport
  log: Log
}

export async function sendEmail(deps: SendDeps, leased: LeasedEmail): Promise<void> {
  const email = await prepare(deps, leased).catch(async (error: unknown) => {
    await settleEmail(deps.db, leased, { state: 'failed', address: null, smtpCode: null })
    throw error
  })
  const result = email === undefined ? ({ state: 'dropped' } as const) : await attempt(deps, leased, email)
  await settleEmail(deps.db, leased, result)
}

/** Returns undefined if the user is to get nothing any more. */
async function prepare(deps: SendDeps, leased: LeasedEmail): Promise<Email | undefined> {
  const { db, vault, baseUrl } = deps
  const { accountId, loginId } = leased
  const recipients = await readRecipients(db, accountId)
  const recipient = recipients.find((candidate) => candidate.loginId === loginId)
  if (recipient === undefined) return undefined
  const notices = leased.isTest ? [] : await readEmailNotices(db, leased)
  if (!leased.isTest && notices.length === 0) return undefined
  const unsubscribe = unsubscribeUrl(vault, baseUrl, { accountId, loginId, group: groupOf(notices) })
  const links = { baseUrl, unsubscribe }
  const account = await readAccountName(db, accountId)
  return {
    ...(leased.isTest ? renderTest(account, links) : renderNotices(notices, account, links)),
    to: recipient.email,
    messageId: `<${leased.messageId}@${baseUrl.hostname}>`,
    // RFC 8058: mail clients offer a button that sends a POST. A GET, as of a link scanner, changes nothing.
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

/** The link of an email about several groups, and of a test, turns off all of them. */
function groupOf(notices: readonly HookNotice[]): UnsubscribeGroup {
  const groups = new Set(notices.map(({ kind }) => noticeKinds[kind].group))
  const [group] = groups
  return groups.size === 1 && group !== undefined ? group : 'all'
}

async function attempt(
  { transport, log }: SendDeps,
  { accountId, id }: LeasedEmail,
  email: Email,
): Promise<AttemptResult> {
  const address = email.to
  try {
    await transport.deliver(email)
    return { state: 'sent', address }
  } catch (error) {
    const { code, smtpCode, refusal } = readFailure(error)
    const line = { account: accountId, email: id, code, smtp_code: smtpCode }
    if (refusal === null) {
      log.warn(line, 'notice email failed, retrying')
      return { state: 'failed', address, smtpCode }
    }
    log.warn(line, 'notice email refused')
    return { state: 'refused', address, smtpCode: refusal }
  }
}

interface SmtpFailure {
  /** Of the mail library, such as EENVELOPE. */
  code: string | null
  smtpCode: number | null
  /** The code if the server will never accept this email. */
  refusal: number | null
}

/** Only a refusal of the message is permanent. A wrong password, for example, is a mistake that the operator corrects. */
function readFailure(error: unknown): SmtpFailure {
  if (!(error instanceof Error)) return { code: null, smtpCode: null, refusal: null }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  const smtpCode =
    'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null
  const isRefused = smtpCode !== null && smtpCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  return { code, smtpCode, refusal: isRefused ? smtpCode : null }
}
