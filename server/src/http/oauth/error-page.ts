/**
 * The error page for users who cannot be redirected to the app, because the redirect URI is not trusted. Plain HTML with
 * an inline style and no other resources.
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

/** Errors that the user can act on. All others are errors of the app. */
const explanations: Readonly<Record<string, string>> = {
  invalid_client: 'This app is not registered, or it was deleted.',
  invalid_redirect_uri: 'The app requested a redirect URI that is not registered. No data was shared.',
  temporarily_unavailable:
    'Too many authorization requests from your network. No data was shared. Try again in a few minutes.',
  server_error: 'Internal error. No data was shared. Try again.',
}

interface PageResponse {
  type: string
  body: unknown
  set: (name: string, value: string) => void
}

export const renderError: Configuration['renderError'] = (ctx, { error, error_description: detail }) =>
  showError(ctx, error, detail)

export function showError(ctx: PageResponse, error: string, detail?: string): void {
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
<h1>App not connected</h1>
<p>${escape(explanations[error] ?? 'The request is incomplete, already answered or expired. No data was shared.')}</p>
<p>Return to the app and try again. If the error persists, report it to the publisher of the app:</p>
<p><code>${escape(error)}${detail === undefined ? '' : `: ${escape(detail)}`}</code></p>
</main>
</body>
</html>
`
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
