/** Renders emails as plain text and as HTML without images, scripts and colors that depend on the background. Pure. */
import { escapeHtml } from '../model/escape-html.ts'
import { describeNotice } from './describe-notice.ts'
import { groupNotices, type HookNotice, labelOf, type Section } from './group-notices.ts'

interface EmailContent {
  subject: string
  text: string
  html: string
}

interface Links {
  baseUrl: URL
  unsubscribe: string
}

/** Beyond, webhooks are only counted. */
const maxHooksPerSection = 20
const maxSections = 20

export function renderNotices(
  notices: readonly HookNotice[],
  account: string,
  { baseUrl, unsubscribe }: Links,
): EmailContent {
  const sections = groupNotices(notices)
  const shown = sections.slice(0, maxSections)
  const hookIds = new Set(notices.map(({ hookId }) => hookId))
  const button =
    hookIds.size === 1
      ? { label: 'View webhook', url: hookUrl(baseUrl, [...hookIds][0] ?? 0) }
      : { label: 'View webhooks', url: new URL('/webhooks', baseUrl).href }
  const more = sections.length > maxSections ? `And more: ${sections.length - maxSections} groups.` : null
  return {
    subject: subjectOf(sections, hookIds.size),
    text: [
      ...shown.map((section) => sectionText(section, baseUrl)),
      more,
      `${button.label}: ${button.url}`,
      footerText(account, baseUrl, unsubscribe),
    ]
      .filter((part) => part !== null)
      .join('\n\n'),
    html: page([
      ...shown.map((section) => sectionHtml(section, baseUrl)),
      ...(more === null ? [] : [paragraph(escapeHtml(more))]),
      buttonHtml(button),
      footerHtml(account, baseUrl, unsubscribe),
    ]),
  }
}

export function renderTest(account: string, { baseUrl, unsubscribe }: Links): EmailContent {
  const sentence = `This is a test. Hookline sends notices about the webhooks of the account "${account}" to this address.`
  const button = { label: 'View webhooks', url: new URL('/webhooks', baseUrl).href }
  return {
    subject: 'Test email from Hookline',
    text: [sentence, `${button.label}: ${button.url}`, footerText(account, baseUrl, unsubscribe)].join(
      '\n\n',
    ),
    html: page([
      paragraph(escapeHtml(sentence)),
      buttonHtml(button),
      footerHtml(account, baseUrl, unsubscribe),
    ]),
  }
}

function subjectOf([first, ...others]: readonly Section[], hookCount: number): string {
  if (first === undefined) return 'Notice from Hookline'
  return others.length === 0 ? first.headline : `${first.headline}, ${hookCount} webhooks in total`
}

function hookUrl(baseUrl: URL, hookId: number): string {
  return new URL(`/webhooks/${hookId}`, baseUrl).href
}

function sectionText({ headline, notices }: Section, baseUrl: URL): string {
  const lines = notices
    .slice(0, maxHooksPerSection)
    .map((notice) => `- ${labelOf(notice)}: ${describeNotice(notice)}\n  ${hookUrl(baseUrl, notice.hookId)}`)
  return [`${headline}.`, ...lines, ...moreHooks(notices)].join('\n')
}

function sectionHtml({ headline, notices }: Section, baseUrl: URL): string {
  const items = notices.slice(0, maxHooksPerSection).map((notice) => {
    const link = `<a href="${escapeHtml(hookUrl(baseUrl, notice.hookId))}">${escapeHtml(labelOf(notice))}</a>`
    return `<li style="margin:0 0 8px">${link}: ${escapeHtml(describeNotice(notice))}</li>`
  })
  const more = moreHooks(notices).map((line) => paragraph(escapeHtml(line)))
  return [
    `<h2 style="font-size:18px;margin:24px 0 8px">${escapeHtml(headline)}</h2>`,
    `<ul style="margin:0;padding:0 0 0 20px">${items.join('\n')}</ul>`,
    ...more,
  ].join('\n')
}

function moreHooks(notices: readonly HookNotice[]): string[] {
  const hidden = notices.length - maxHooksPerSection
  return hidden > 0 ? [`And ${hidden} more ${hidden === 1 ? 'webhook' : 'webhooks'}.`] : []
}

function buttonHtml({ label, url }: { label: string; url: string }): string {
  const style =
    'display:inline-block;padding:10px 16px;border-radius:6px;background:#1f5fd6;color:#ffffff;text-decoration:none'
  return paragraph(`<a href="${escapeHtml(url)}" style="${style}">${label}</a>`)
}

function footerText(account: string, baseUrl: URL, unsubscribe: string): string {
  return [
    `You get this email because your login belongs to the account "${account}" at ${baseUrl.host}.`,
    `Unsubscribe: ${unsubscribe}`,
  ].join('\n')
}

function footerHtml(account: string, baseUrl: URL, unsubscribe: string): string {
  const [reason = ''] = footerText(account, baseUrl, unsubscribe).split('\n')
  return `<p style="font-size:13px;margin:32px 0 0">${escapeHtml(reason)} <a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>`
}

function paragraph(html: string): string {
  return `<p style="margin:16px 0">${html}</p>`
}

/** Without colors of its own the text follows the light or dark mode of the reader. */
function page(parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
</head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:600px;margin:0 auto">
${parts.join('\n')}
</div>
</body>
</html>
`
}
