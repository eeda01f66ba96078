/** Sends messages to incoming webhooks of chat services, through the same guarded door as deliveries. */
import type { ChannelKind } from '../model/notice.ts'
import type { Send } from '../delivery/transport/send.ts'
import type { OpenChannel } from './channels.ts'
import type { MessageContent } from './message-content.ts'
import type { AttemptResult } from './message-queue.ts'
import { renderJson, renderSlack, renderTeams } from './render-chat.ts'
import type { PreparedMessage } from './prepared-message.ts'

const deadlineMs = 5_000
/** A status that asks to try again. Every other 4xx is a refusal: the URL is wrong, or was revoked. */
const retriedStatuses: ReadonlySet<number> = new Set([408, 425, 429])

export async function sendChat(
  { send, baseUrl }: { send: Send; baseUrl: URL },
  { leased, notices, account }: PreparedMessage,
  { kind, target, host }: OpenChannel,
  content: MessageContent,
): Promise<AttemptResult> {
  const context = { account, baseUrl }
  const bodies: Record<Exclude<ChannelKind, 'email'>, () => object> = {
    slack: () => renderSlack(content, context),
    teams: () => renderTeams(content, context),
    json: () => renderJson(content, notices, context),
  }
  if (kind === 'email') throw new Error('an email channel has no URL')
  const outcome = await send({
    accountId: account.id,
    method: 'POST',
    url: target,
    headers: [
      'user-agent',
      'Hookline',
      'content-type',
      'application/json',
      // The same for all attempts, so that a receiver can recognize a duplicate.
      'x-hookline-message',
      leased.messageId,
    ],
    body: JSON.stringify(bodies[kind]()),
    deadlineMs,
  })
  const { reason, status = null } = outcome
  if (reason === 'delivered') return { state: 'sent', address: host, responseCode: status }
  const isRefused =
    reason === 'redirect' ||
    (status !== null && status >= 400 && status < 500 && !retriedStatuses.has(status))
  return { state: isRefused ? 'refused' : 'failed', address: host, responseCode: status, reason }
}
