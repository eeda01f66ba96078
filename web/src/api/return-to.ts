/** Where to go after signing in: a path of this site and nothing else, whoever wrote the link. */
export function safeReturnTo(wanted: unknown): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted)) return '/'
  const url = new URL(wanted, location.origin)
  return url.origin === location.origin ? url.pathname + url.search + url.hash : '/'
}
