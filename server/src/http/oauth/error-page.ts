/** The error page for users who cannot be redirected to the app, because the redirect URI is not trusted. */
import type { Configuration } from 'oidc-provider'
import { escapeHtml } from '../../model/escape-html.ts'
import { plainPage, plainPagePolicy } from '../server/plain-page.ts'

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
  ctx.set('content-security-policy', plainPagePolicy("'none'"))
  ctx.body = plainPage(
    { title: 'Not connected', heading: 'App not connected' },
    `<p>${escapeHtml(explanations[error] ?? 'The request is incomplete, already answered or expired. No data was shared.')}</p>
<p>Return to the app and try again. If the error persists, report it to the publisher of the app:</p>
<p><code>${escapeHtml(error)}${detail === undefined ? '' : `: ${escapeHtml(detail)}`}</code></p>`,
  )
}
