/** Calls as lines for a shell, to copy. */
import type { HookDefinition } from '../../../model/hook.ts'

export function registrationLine(baseUrl: URL, hook: HookDefinition): string {
  const parameters = {
    target_url: hook.targetUrl,
    event_type: hook.eventType,
    request_method: hook.requestMethod,
    event_filter: hook.eventFilter,
    headers: hook.headers,
  }
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [`--data-urlencode ${quoted(`${name}=${value}`)}`],
  )
  return [`curl ${quoted(new URL('/api/hooks', baseUrl).href)}`, "-H 'X-Api-Key: <API key>'", ...given].join(
    ' ',
  )
}

/** One word for a POSIX shell, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
