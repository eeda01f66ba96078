/** Builds the cURL commands that create or edit a webhook, one option per line. */
import type { HookDefinition } from '../../../model/hook.ts'

export function createCommand(baseUrl: URL, hook: HookDefinition): string {
  const parameters = {
    target_url: hook.targetUrl,
    event_type: hook.eventType,
    request_method: hook.requestMethod,
    event_filter: hook.eventFilter,
    headers: hook.headers,
  }
  const data = Object.entries(parameters).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [formOption(name, value)],
  )
  return command(new URL('/api/hooks', baseUrl), data)
}

/** For calls outside the contract, which accept JSON only. */
export function jsonCommand(url: URL, values: object): string {
  return command(url, ["-H 'Content-Type: application/json'", `-d ${shellQuote(JSON.stringify(values))}`])
}

function command(url: URL, options: readonly string[]): string {
  return [`curl ${shellQuote(url.href)}`, "-H 'X-Api-Key: <API key>'", ...options].join(' \\\n  ')
}

/** Values of several lines are encoded here, so that each option stays on one line. */
function formOption(name: string, value: string): string {
  return value.includes('\n')
    ? `-d ${shellQuote(`${name}=${encodeURIComponent(value)}`)}`
    : `--data-urlencode ${shellQuote(`${name}=${value}`)}`
}

/** Quotes a text as one word for a POSIX shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
