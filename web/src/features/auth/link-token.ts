/** Reads the token of an email link. It is in the URL fragment, which browsers never send to a server. */
export function readLinkToken(): string {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
}
