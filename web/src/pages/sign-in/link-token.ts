/** The token of a link from a mail. It stands behind the `#`, which browsers never send to a server. */
export function tokenInAddress(): string {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
}
