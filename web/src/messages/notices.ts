/** Texts about notices: groups, modes, channels, and the results of messages. */
import type { Channel, LastMessage, NoticeGroup, NoticeMode, NoticeMessage } from '../api/notices.ts'
import type { Tone } from '../lib/tone.ts'

export const groupText: Record<NoticeGroup, { label: string; description: string }> = {
  failing: {
    label: 'Failing webhooks',
    description: 'Webhooks that fail or back off, and those that work again',
  },
  disabled: { label: 'Disabled webhooks', description: 'Webhooks that Hookline disabled' },
  lost: {
    label: 'Lost deliveries',
    description: 'Lost deliveries, and events on hold that will be lost soon',
  },
  slow: { label: 'Slow responses', description: 'Webhooks that respond close to the timeout' },
  certificates: { label: 'Certificates', description: 'TLS certificates of your servers that expire' },
  credentials: {
    label: 'Keys and secrets',
    description: 'API keys and secrets that expire, and deprecated authentication',
  },
  security: {
    label: 'Security',
    description: 'Changes of members, keys, apps and other settings of the account',
  },
}

export const groupNames = Object.keys(groupText) as NoticeGroup[]

export const modeText: Record<NoticeMode, string> = {
  instant: 'Within minutes',
  daily: 'Daily',
  weekly: 'Weekly',
  off: 'Off',
}

export const channelText: Record<Channel['kind'], { label: string; target: string; hint: string }> = {
  email: {
    label: 'Email',
    target: 'Email',
    hint: 'Hookline sends a link to this address. It gets notices once the link is opened.',
  },
  slack: {
    label: 'Slack',
    target: 'Webhook URL',
    hint: 'In Slack, add the app “Incoming Webhooks” to a channel, and copy its URL.',
  },
  teams: {
    label: 'Microsoft Teams',
    target: 'Webhook URL',
    hint: 'In Teams, add the workflow “Post to a channel when a webhook request is received”, and copy its URL.',
  },
  json: {
    label: 'JSON',
    target: 'URL',
    hint: 'Anything that accepts JSON by POST. The field text works with Mattermost, Rocket.Chat and Google Chat.',
  },
}

const stateText: Record<LastMessage['state'], { tone: Tone; label: string }> = {
  queued: { tone: 'info', label: 'Queued' },
  sent: { tone: 'success', label: 'Sent' },
  refused: { tone: 'danger', label: 'Refused' },
  expired: { tone: 'danger', label: 'Not sent' },
  dropped: { tone: 'neutral', label: 'Dropped' },
  bounced: { tone: 'danger', label: 'Bounced' },
}

type Result = Pick<LastMessage, 'state' | 'response_code' | 'reason'>

/** While a message is queued after a failed attempt, it is retried. */
export function describeMessage({ state, response_code: code, reason }: Result): {
  tone: Tone
  label: string
} {
  const { tone, label } = stateText[state]
  const cause = code ?? reason
  if (cause === null || state === 'sent' || state === 'dropped') return { tone, label }
  return state === 'queued'
    ? { tone: 'warning', label: `Retrying: ${cause}` }
    : { tone, label: `${label}: ${cause}` }
}

/** Who a message was for. */
export function recipientOf({ login, channel }: Pick<NoticeMessage, 'login' | 'channel'>): string {
  return login ?? channel ?? 'Deleted channel'
}
