/** Names of browsers for notices. Only known names: the header is chosen by the client, and could be a sentence. Pure. */

const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

export function browserName(userAgent: string): string {
  const find = (names: typeof browsers): string | undefined =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = find(browsers)
  const system = find(systems)
  if (browser === undefined) return 'an unknown browser'
  return system === undefined ? browser : `${browser} on ${system}`
}
