/**
 * What a person sees who cannot be sent back to the app, because it is not certain whose address that would be. Plain HTML
 * with a style of its own and nothing from anywhere else.
 */
import { createHash } from 'node:crypto'
import type { Configuration } from 'oidc-provider'

const style = `
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center }
main { max-width: 32rem; padding: 2rem }
h1 { font-size: 1.5rem; line-height: 1.3 }
code { overflow-wrap: anywhere }
`
const styleHash = createHash('sha256').update(style).digest('base64')

const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

/** For those the person can do something about; the rest is the app's own fault. */
const explanations: Readonly<Record<string, string>> = {
  invalid_client: 'This app is not registered here, or it has been removed.',
  invalid_redirect_uri:
    'The app asked to send you to an address that it has not registered, so you stay here and nothing was shared.',
  temporarily_unavailable:
    'Too many requests for access came from here. Nothing was shared. Wait some minutes before you go on.',
  server_error: 'Something broke on our side. Nothing was shared; try again in a moment.',
}

interface Answer {
  type: string
  body: unknown
  set: (name: string, value: string) => void
}

export const renderError: Configuration['renderError'] = (ctx, { error, error_description: detail }) =>
  showError(ctx, error, detail)

export function showError(ctx: Answer, error: string, detail?: string): void {
  ctx.type = 'html'
  ctx.set('content-security-policy', policy)
  ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not connected – Hookline</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>The app was not connected</h1>
<p>${escape(explanations[error] ?? 'The request is incomplete, was answered before or is too old. Nothing was shared.')}</p>
<p>Go back to the app and start again. If this stays, tell the people who make it:</p>
<p><code>${escape(error)}${detail === undefined ? '' : `: ${escape(detail)}`}</code></p>
</main>
</body>
</html>
`
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
