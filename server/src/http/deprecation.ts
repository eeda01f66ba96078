import { type Caller, deprecatedKinds } from '../model/caller.ts'

/** 2026-11-15: since the first version of this service, in which both kinds were already deprecated. */
const deprecatedSince = '@1794700800'

/** Tells the sender of a deprecated credential so (RFC 9745), with the page that says what to send instead. */
export function deprecationHeaders(caller: Caller, baseUrl: URL): Record<string, string> {
  if (!deprecatedKinds.has(caller.kind)) return {}
  const page = new URL('/docs#description/authentication', baseUrl).href
  return { deprecation: deprecatedSince, link: `<${page}>; rel="deprecation"; type="text/html"` }
}
