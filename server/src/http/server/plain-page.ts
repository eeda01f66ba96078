/** Small pages that work without the dashboard: plain HTML with one inline style and no other resources. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../../model/escape-html.ts'

const style = `
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center }
main { max-width: 32rem; min-width: 0; padding: 2rem; overflow-wrap: anywhere }
h1 { font-size: 1.5rem; line-height: 1.3 }
code { overflow-wrap: anywhere }
button { font: inherit; padding: 0.5rem 1rem }
`
const styleHash = createHash('sha256').update(style).digest('base64')

/** The content security policy of the pages. `formAction` is where their forms may be sent. */
export function plainPagePolicy(formAction: "'none'" | "'self'"): string {
  return `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action ${formAction}`
}

/** `content` is HTML below the heading. */
export function plainPage({ title, heading }: { title: string; heading: string }, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Hookline</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(heading)}</h1>
${content}
</main>
</body>
</html>
`
}

/** Sends the form to the URL of the page. `label` is HTML. */
export function formButton(label: string): string {
  return `<form method="post"><button>${label}</button></form>`
}

export function queryOf({ url }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'))
}

/** Sends a page with a form that goes to this service only. `sentence` and `form` are HTML. */
export function sendPlainPage(
  reply: FastifyReply,
  status: number,
  { heading, sentence, form = '' }: { heading: string; sentence: string; form?: string },
): FastifyReply {
  return reply
    .status(status)
    .header('content-security-policy', plainPagePolicy("'self'"))
    .type('text/html; charset=utf-8')
    .send(plainPage({ title: heading, heading }, `<p>${sentence}</p>\n${form}`))
}
