/** Renders a message as an email, as HTML and as text. Pure. */
import { escapeHtml } from '../model/escape-html.ts'
import { type ContentSection, describeHidden, endOf, type MessageContent } from './message-content.ts'

export interface EmailContent {
  subject: string
  text: string
  html: string
}

export interface EmailFooter {
  /** Why the recipient gets the email. */
  reason: string
  /** Undefined: the recipient cannot turn it off. */
  unsubscribeUrl?: string | undefined
}

export function renderEmail(content: MessageContent, footer: EmailFooter): EmailContent {
  const { subject, title, sections, hiddenSections, button } = content
  const more = describeHidden(hiddenSections)
  return {
    subject,
    text: [
      ...sections.map(sectionText),
      ...(more === null ? [] : [more]),
      `${button.label}: ${button.url}`,
      footerText(footer),
    ].join('\n\n'),
    html: page(subject, [
      headingHtml('h1', title),
      // The title is the headline of the only section.
      ...sections.map((section) => sectionHtml(section, sections.length > 1)),
      ...(more === null ? [] : [paragraph(escapeHtml(more))]),
      buttonHtml(button),
      footerHtml(footer),
    ]),
  }
}

function sectionText(section: ContentSection): string {
  const { headline, items } = section
  const lines = items.map(({ label, text, url }) =>
    [`- ${label === '' ? '' : `${label}: `}${text}`, ...(url === null ? [] : [`  ${url}`])].join('\n'),
  )
  return [`${headline}.`, ...lines, ...endOf(section)].join('\n')
}

function headingHtml(tag: 'h1' | 'h2', text: string): string {
  return `<${tag} style="font-size:${tag === 'h1' ? 20 : 17}px;margin:24px 0 8px">${escapeHtml(text)}</${tag}>`
}

function sectionHtml(section: ContentSection, hasHeading: boolean): string {
  const { headline, items } = section
  const lines = items.map(({ label, text, url }) => {
    const name = url === null ? escapeHtml(label) : linkHtml(url, escapeHtml(label))
    return `<li style="margin:0 0 8px">${name}${label === '' ? '' : ': '}${escapeHtml(text)}</li>`
  })
  return [
    ...(hasHeading ? [headingHtml('h2', headline)] : []),
    `<ul style="margin:0;padding:0 0 0 20px">${lines.join('\n')}</ul>`,
    ...endOf(section).map((line) => paragraph(escapeHtml(line))),
  ].join('\n')
}

function buttonHtml({ label, url }: { label: string; url: string }): string {
  const style =
    'display:inline-block;padding:10px 16px;border-radius:6px;background:#1f5fd6;color:#ffffff;text-decoration:none'
  return paragraph(`<a href="${escapeHtml(url)}" style="${style}">${label}</a>`)
}

function footerText({ reason, unsubscribeUrl }: EmailFooter): string {
  return [reason, ...(unsubscribeUrl === undefined ? [] : [`Unsubscribe: ${unsubscribeUrl}`])].join('\n')
}

function footerHtml({ reason, unsubscribeUrl }: EmailFooter): string {
  const link = unsubscribeUrl === undefined ? '' : ` ${linkHtml(unsubscribeUrl, 'Unsubscribe')}`
  return `<p style="font-size:13px;margin:32px 0 0">${escapeHtml(reason)}${link}</p>`
}

/** In the color of the text: the blue of mail clients is unreadable in dark mode. */
function linkHtml(url: string, html: string): string {
  return `<a href="${escapeHtml(url)}" style="color:inherit">${html}</a>`
}

function paragraph(html: string): string {
  return `<p style="margin:16px 0">${html}</p>`
}

/** Without colors of its own the text follows the light or dark mode of the reader. Long names break. */
function page(title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;overflow-wrap:anywhere">
<div role="main" style="max-width:600px;margin:0 auto">
${parts.join('\n')}
</div>
</body>
</html>
`
}
