/** Renders a message for incoming webhooks of Slack and Microsoft Teams, and as JSON for others. Pure. */
import { noticeKinds } from '../model/notice.ts'
import { describeNotice } from './describe-notice.ts'
import { hostOf, type SentNotice } from './group-notices.ts'
import { type ContentSection, describeHidden, type MessageContent } from './message-content.ts'

/** Keeps messages below the limits of both services: 50 blocks of 3,000 characters, and 28 KB. */
export const chatLimits = { sections: 8, items: 5 }

const maxHeader = 150
const maxBlock = 3_000
const maxJsonNotices = 100

export interface ChatContext {
  account: { id: number; name: string }
  baseUrl: URL
}

export function renderSlack(content: MessageContent, { account, baseUrl }: ChatContext): object {
  const { subject, sections, hiddenSections, button } = content
  const more = describeHidden(hiddenSections)
  return {
    // For notifications, and clients without blocks.
    text: escapeSlack(subject),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: subject.slice(0, maxHeader) } },
      ...sections.map((section) => slackText('section', slackSection(section))),
      ...(more === null ? [] : [slackText('section', more)]),
      slackText('section', `<${button.url}|${button.label}>`),
      {
        type: 'context',
        elements: [{ type: 'mrkdwn', text: escapeSlack(`Account “${account.name}” at ${baseUrl.host}`) }],
      },
    ],
  }
}

function slackText(type: 'section', text: string): object {
  return { type, text: { type: 'mrkdwn', text: text.slice(0, maxBlock) } }
}

function slackSection({ headline, items, hiddenItems }: ContentSection): string {
  const more = describeHidden(hiddenItems)
  return [
    `*${escapeSlack(headline)}*`,
    ...items.map(({ label, url, text }) => {
      const name = url === null ? escapeSlack(label) : `<${url}|${escapeSlack(label)}>`
      return `• ${name}${label === '' ? '' : ': '}${escapeSlack(text)}`
    }),
    ...(more === null ? [] : [more]),
  ].join('\n')
}

/** Mentions and links need angle brackets, so names cannot contain any. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function renderTeams(content: MessageContent, { account, baseUrl }: ChatContext): object {
  const { subject, sections, hiddenSections, button } = content
  const more = describeHidden(hiddenSections)
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      teamsText(subject, { size: 'Large', weight: 'Bolder' }),
      ...sections.flatMap(teamsSection),
      ...(more === null ? [] : [teamsText(more)]),
      teamsText(`Account “${account.name}” at ${baseUrl.host}`, { isSubtle: true, size: 'Small' }),
    ],
    actions: [{ type: 'Action.OpenUrl', title: button.label, url: button.url }],
  }
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
  }
}

function teamsSection({ headline, items, hiddenItems }: ContentSection): object[] {
  const more = describeHidden(hiddenItems)
  return [
    teamsText(headline, { weight: 'Bolder' }),
    ...items.map(({ label, text }) => teamsText(label === '' ? text : `${label}: ${text}`)),
    ...(more === null ? [] : [teamsText(more)]),
  ]
}

function teamsText(text: string, style: object = {}): object {
  return { type: 'TextBlock', text: escapeMarkdown(text), wrap: true, ...style }
}

/** Text blocks can contain links and emphasis, which names must not add. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\*_[\]()#~`>]/g, String.raw`\$&`)
}

/** `text` is what chat services with a simple format show. */
export function renderJson(
  content: MessageContent,
  notices: readonly SentNotice[],
  { account, baseUrl }: ChatContext,
): object {
  const { subject, sections, button } = content
  return {
    type: notices.length === 0 ? 'test' : 'notices',
    title: subject,
    text: [subject, ...sections.flatMap(({ items }) => items.map(lineOf)), button.url].join('\n'),
    url: button.url,
    account,
    installation: baseUrl.origin,
    notices: notices.slice(0, maxJsonNotices).map((notice) => ({
      id: notice.id,
      kind: notice.kind,
      group: noticeKinds[notice.kind].group,
      webhook: notice.hookId === null ? null : { id: notice.hookId, name: notice.name, host: hostOf(notice) },
      since: notice.streak.toISOString(),
      created_at: notice.createdAt.toISOString(),
      message: describeNotice(notice),
    })),
    more: Math.max(0, notices.length - maxJsonNotices),
  }
}

function lineOf({ label, text }: ContentSection['items'][number]): string {
  return label === '' ? text : `${label}: ${text}`
}
