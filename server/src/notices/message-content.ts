/** The content of a message with notices, for every format. Pure. */
import { commonNextOf, describeFact, describeNotice, pageOf } from './describe-notice.ts'
import { groupNotices, labelOf, type Section, type SentNotice } from './group-notices.ts'
import type { NoticePage } from './texts/notice-texts.ts'

export interface MessageContent {
  subject: string
  /** What the message says in a few words: the subject, or the number of notices. */
  title: string
  sections: ContentSection[]
  /** Groups beyond the limit. */
  hiddenSections: number
  button: { label: string; url: string }
}

export interface ContentSection {
  headline: string
  items: Array<{ label: string; url: string | null; text: string }>
  /** Notices beyond the limit. */
  hiddenItems: number
  /** What to do about all of them; null if each item says it. */
  next: string | null
}

interface Limits {
  sections: number
  items: number
}

export function contentOf(
  notices: readonly SentNotice[],
  baseUrl: URL,
  limits: Limits = { sections: 20, items: 20 },
): MessageContent {
  const sections = groupNotices(notices)
  const subject = subjectOf(sections)
  return {
    subject,
    title: sections.length === 1 ? subject : `${countOf(sections)} notices`,
    sections: sections.slice(0, limits.sections).map(({ headline, notices: members }) => {
      const next = commonNextOf(members)
      return {
        headline,
        items: members.slice(0, limits.items).map((notice) => ({
          label: labelOf(notice),
          url: notice.hookId === null ? null : hookUrl(baseUrl, notice.hookId),
          text: next === null ? describeNotice(notice) : describeFact(notice),
        })),
        hiddenItems: Math.max(0, members.length - limits.items),
        next,
      }
    }),
    hiddenSections: Math.max(0, sections.length - limits.sections),
    button: buttonOf(sections, baseUrl),
  }
}

export function testContent(account: string, baseUrl: URL): MessageContent {
  const subject = 'Test message from Hookline'
  return {
    subject,
    title: subject,
    sections: [
      {
        headline: 'This is a test',
        items: [{ label: '', url: null, text: `Hookline sends notices of the account “${account}” here.` }],
        hiddenItems: 0,
        next: null,
      },
    ],
    hiddenSections: 0,
    button: { label: 'View notices', url: new URL('/notices', baseUrl).href },
  }
}

/** What follows the items of a section: how many are hidden, and what to do. */
export function endOf({ hiddenItems, next }: ContentSection): string[] {
  return [describeHidden(hiddenItems), next].filter((line) => line !== null)
}

/** "And 5 more." */
export function describeHidden(hidden: number): string | null {
  return hidden === 0 ? null : `And ${hidden} more.`
}

function subjectOf([first, ...others]: readonly Section[]): string {
  if (first === undefined) return 'Notice from Hookline'
  return others.length === 0
    ? first.headline
    : `${first.headline}, ${countOf([first, ...others])} notices in total`
}

function countOf(sections: readonly Section[]): number {
  return sections.reduce((sum, { notices }) => sum + notices.length, 0)
}

const buttons: Record<NoticePage | 'webhooks' | 'notices', { label: string; path: string }> = {
  webhook: { label: 'View webhook', path: '/webhooks/' },
  webhooks: { label: 'View webhooks', path: '/webhooks' },
  keys: { label: 'View API keys', path: '/keys' },
  audit: { label: 'View audit log', path: '/account/audit' },
  signIns: { label: 'View sessions', path: '/account' },
  security: { label: 'Reset password', path: '/forgot-password' },
  notices: { label: 'View notices', path: '/notices' },
}

/** One button per message: the page that all its notices have in common. */
function buttonOf(sections: readonly Section[], baseUrl: URL): { label: string; url: string } {
  const hookIds = new Set(sections.flatMap(({ notices }) => notices.map(({ hookId }) => hookId)))
  const pages = new Set(sections.map(({ kind }) => pageOf(kind)))
  const [page = 'notices'] = pages
  const [hookId] = hookIds
  if (pages.size !== 1) return button('notices', baseUrl)
  if (page !== 'webhook') return button(page, baseUrl)
  return hookIds.size === 1 && hookId != null
    ? { label: buttons.webhook.label, url: hookUrl(baseUrl, hookId) }
    : button('webhooks', baseUrl)
}

function button(name: keyof typeof buttons, baseUrl: URL): { label: string; url: string } {
  const { label, path } = buttons[name]
  return { label, url: new URL(path, baseUrl).href }
}

function hookUrl(baseUrl: URL, hookId: number): string {
  return new URL(`${buttons.webhook.path}${hookId}`, baseUrl).href
}
