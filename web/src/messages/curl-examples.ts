/** Example requests, ready to run in a shell. */
export function listHooksCurl(key: string): string {
  return `curl ${location.origin}/api/hooks \\\n  -H 'X-Api-Key: ${key}'`
}

export function createHookCurl(key: string): string {
  return [
    `curl ${location.origin}/api/hooks`,
    `-H 'X-Api-Key: ${key}'`,
    `-d event_type=sms_mo`,
    `-d target_url=https://example.com/webhook`,
  ].join(' \\\n  ')
}
