/** Returns the part of a redirect URI that users see: its host, or the scheme that opens an app on the device. */
export function hostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol
}
