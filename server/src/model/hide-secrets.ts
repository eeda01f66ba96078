/** Hides the parts of a webhook that are often credentials, for members who do not manage webhooks. Pure. */

interface Secrets {
  targetUrl: string
  /** One header per line. */
  headers: string
}

export const hidden = '••••••'

export function hideSecrets<Hook extends Secrets>(hook: Hook): Hook {
  return { ...hook, targetUrl: hideQuery(hook.targetUrl), headers: hideValues(hook.headers) }
}

/** Keeps the names of query parameters that have a value. Others may be credentials themselves. A URL that cannot be parsed is hidden completely. */
export function hideQuery(targetUrl: string): string {
  const url = URL.parse(targetUrl)
  if (url === null) return hidden
  const names = [...url.searchParams].map(([name, value]) =>
    value === '' ? hidden : `${encodeURIComponent(name)}=${hidden}`,
  )
  const user = url.username === '' && url.password === '' ? '' : `${hidden}@`
  const query = names.length === 0 ? '' : `?${names.join('&')}`
  return `${url.protocol}//${user}${url.host}${url.pathname}${query}`
}

/** Keeps the names of headers, one per line. */
export function hideValues(headers: string): string {
  return headers.replaceAll(/^([^:\n]*):.*$/gm, `$1: ${hidden}`)
}
