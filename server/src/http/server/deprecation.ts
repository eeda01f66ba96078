import { type Caller, deprecatedKinds } from '../../model/caller.ts'

/** 2026-11-15, the first version of this service. Both kinds were already deprecated in it. */
const deprecatedSince = '@1794700800'

/** Returns the headers for a deprecated credential (RFC 9745), with a link to the alternatives. */
export function deprecationHeaders(caller: Caller, baseUrl: URL): Record<string, string> {
  if (!deprecatedKinds.has(caller.kind)) return {}
  const page = new URL('/docs#description/authentication', baseUrl).href
  return { deprecation: deprecatedSince, link: `<${page}>; rel="deprecation"; type="text/html"` }
}
