/** Sends messages by email, to users and to channels. */
import { noticeKinds } from '../model/notice.ts'
import type { Email, MailTransport } from '../runtime/mail-transport.ts'
import type { Vault } from '../vault/vault.ts'
import type { OpenChannel } from './channels.ts'
import type { SentNotice } from './group-notices.ts'
import type { MessageContent } from './message-content.ts'
import type { AttemptResult } from './message-queue.ts'
import { type EmailFooter, renderEmail } from './render-email.ts'
import type { PreparedMessage } from './prepared-message.ts'
import { type UnsubscribeGroup, unsubscribeUrl } from './unsubscribe-link.ts'

interface EmailDeps {
  vault: Vault
  baseUrl: URL
}

export function userEmail(
  { vault, baseUrl }: EmailDeps,
  message: PreparedMessage,
  address: string,
  content: MessageContent,
): Email {
  const { leased, notices, account } = message
  const { accountId, loginId } = leased
  const optional = notices.filter(({ kind }) => kind !== 'sign_in' && kind !== 'login_changed')
  const isAboutLogin = optional.length < notices.length
  if ((isAboutLogin && optional.length === 0) || loginId === null)
    return toEmail(baseUrl, message, address, content, {
      reason: `You get this email because it is about your login at ${baseUrl.host}. You cannot turn it off.`,
    })
  return toEmail(baseUrl, message, address, content, {
    reason: [
      `You get this email because your login belongs to the account “${account.name}” at ${baseUrl.host}.`,
      ...(isAboutLogin ? ['You cannot turn off emails about your login.'] : []),
    ].join(' '),
    unsubscribeUrl: unsubscribeUrl(vault, baseUrl, { accountId, loginId, group: groupOf(optional) }),
  })
}

export function channelEmail(
  { vault, baseUrl }: EmailDeps,
  message: PreparedMessage,
  { id, target }: OpenChannel,
  content: MessageContent,
): Email {
  const { accountId } = message.leased
  return toEmail(baseUrl, message, target, content, {
    reason: `You get this email because this address was confirmed for the notices of the account “${message.account.name}” at ${baseUrl.host}.`,
    unsubscribeUrl: unsubscribeUrl(vault, baseUrl, { accountId, channelId: id }),
  })
}

function toEmail(
  baseUrl: URL,
  { leased }: PreparedMessage,
  to: string,
  content: MessageContent,
  footer: EmailFooter,
): Email {
  const { unsubscribeUrl: url } = footer
  return {
    ...renderEmail(content, footer),
    to,
    messageId: `<${leased.messageId}@${baseUrl.hostname}>`,
    // RFC 8058: mail clients offer a button that sends a POST. A GET, as of a link scanner, changes nothing.
    ...(url !== undefined && {
      headers: { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    }),
  }
}

/** The link of an email about several groups, and of a test, turns off all of them. */
function groupOf(notices: readonly SentNotice[]): UnsubscribeGroup {
  const groups = new Set(notices.map(({ kind }) => noticeKinds[kind].group))
  const [group] = groups
  return groups.size === 1 && group !== undefined ? group : 'all'
}

/** Without a mail server, the email waits for one. */
export async function sendEmail(
  { transport }: { transport: MailTransport | undefined },
  email: Email,
): Promise<AttemptResult> {
  const address = email.to
  if (transport === undefined) return { state: 'failed', address, reason: 'no_mail_server' }
  try {
    await transport.deliver(email)
    return { state: 'sent', address }
  } catch (error) {
    const { code, responseCode, isRefused } = readFailure(error)
    return { state: isRefused ? 'refused' : 'failed', address, responseCode, reason: code }
  }
}

interface SmtpFailure {
  /** Of the mail library, such as EENVELOPE. */
  code: string | null
  responseCode: number | null
  /** The server will never accept this email. */
  isRefused: boolean
}

/** Only a refusal of the message is permanent. A wrong password, for example, is a mistake that the operator corrects. */
function readFailure(error: unknown): SmtpFailure {
  if (!(error instanceof Error)) return { code: null, responseCode: null, isRefused: false }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  const responseCode =
    'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null
  const isRefused =
    responseCode !== null && responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  return { code, responseCode, isRefused }
}
