/** Builds the cURL command that creates a webhook. */
import type { HookDefinition } from '../../../model/hook.ts'

export function registrationCommand(baseUrl: URL, hook: HookDefinition): string {
  const parameters = {
    target_url: hook.targetUrl,
    event_type: hook.eventType,
    request_method: hook.requestMethod,
    event_filter: hook.eventFilter,
    headers: hook.headers,
  }
  const data = Object.entries(parameters).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [`--data-urlencode ${shellQuote(`${name}=${value}`)}`],
  )
  return [
    `curl ${shellQuote(new URL('/api/hooks', baseUrl).href)}`,
    "-H 'X-Api-Key: <API key>'",
    ...data,
  ].join(' ')
}

/** Quotes a text as one word for a POSIX shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
