/** What people are told of an app's address: its host, or the scheme that opens an app on their device. */
export function hostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol
}
