/** Example requests, ready to run in a shell. */
export function listHooksCurl(key: string): string {
  return `curl ${location.origin}/api/hooks \\\n  -H 'X-Api-Key: ${key}'`
}
