/** Renders a message for incoming webhooks of Slack and Microsoft Teams, and as JSON for others. Pure. */
import { noticeKinds } from '../model/notice.ts'
import { describeNotice } from './describe-notice.ts'
import { hostOf, type SentNotice } from './group-notices.ts'
import { type ContentSection, describeHidden, endOf, type MessageContent } from './message-content.ts'

export const chatLimits = { sections: 8, items: 5 }

/** Limits of Slack, in characters. */
const maxHeader = 150
const maxBlock = 3_000
/** Limit of Teams. Longer messages are refused. */
const maxTeamsBytes = 28_000
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
      { type: 'header', text: { type: 'plain_text', text: subject.slice(0, maxHeader).toWellFormed() } },
      ...sections.map((section) => slackText('section', fitSection(section))),
      ...(more === null ? [] : [slackText('section', more)]),
      slackText('section', `<${button.url}|${button.label}>`),
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: escapeSlack(`Account “${account.name}” at ${baseUrl.host}`),
            verbatim: true,
          },
        ],
      },
    ],
  }
}

function slackText(type: 'section', text: string): object {
  return { type, text: { type: 'mrkdwn', text: text.slice(0, maxBlock), verbatim: true } }
}

/** Shows as many notices of a section as there is room for. */
function fitSection(section: ContentSection): string {
  const text = slackSection(section)
  return text.length <= maxBlock || section.items.length === 0 ? text : fitSection(withItems(section, -1))
}

function slackSection(section: ContentSection): string {
  const { headline, items } = section
  return [
    `*${escapeSlack(headline)}*`,
    ...items.map(({ label, url, text }) => {
      const name = url === null ? escapeSlack(label) : `<${url}|${escapeSlack(label)}>`
      return `• ${name}${label === '' ? '' : ': '}${escapeSlack(text)}`
    }),
    ...endOf(section).map(escapeSlack),
  ].join('\n')
}

function withItems(section: ContentSection, end: number): ContentSection {
  const items = section.items.slice(0, end)
  return { ...section, items, hiddenItems: section.hiddenItems + section.items.length - items.length }
}

/** Mentions and links need angle brackets, so names cannot contain any. Without `verbatim`, Slack would link URLs too. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Shows as many notices of each section as there is room for: without any, the headlines fit. */
export function renderTeams(content: MessageContent, context: ChatContext): object {
  const message = teamsMessage(content, context)
  const longest = Math.max(0, ...content.sections.map(({ items }) => items.length))
  if (longest === 0 || Buffer.byteLength(JSON.stringify(message)) <= maxTeamsBytes) return message
  const sections = content.sections.map((section) => withItems(section, longest - 1))
  return renderTeams({ ...content, sections }, context)
}

function teamsMessage(content: MessageContent, { account, baseUrl }: ChatContext): object {
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

function teamsSection(section: ContentSection): object[] {
  const { headline, items } = section
  return [
    teamsText(headline, { weight: 'Bolder' }),
    ...items.map(({ label, text }) => teamsText(label === '' ? text : `${label}: ${text}`)),
    ...endOf(section).map((line) => teamsText(line)),
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
    text: [
      ...[subject, ...sections.flatMap((section) => [...section.items.map(lineOf), ...endOf(section)])].map(
        withoutMarkup,
      ),
      button.url,
    ].join('\n'),
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

/** Each service has another syntax of mentions and links, so an invisible space breaks all of them. */
function withoutMarkup(text: string): string {
  return text.replaceAll(/[@<\]]|:(?=\/\/)/g, '$&\u200b')
}

function lineOf({ label, text }: ContentSection['items'][number]): string {
  return label === '' ? text : `${label}: ${text}`
}
