/** Returns the path to open after sign-in. Only paths of this origin are allowed, which prevents open redirects. */
export function safeReturnPath(requested: unknown): string {
  if (typeof requested !== 'string' || !/^\/(?![/\\])/.test(requested)) return '/'
  const url = new URL(requested, location.origin)
  return url.origin === location.origin ? url.pathname + url.search + url.hash : '/'
}
