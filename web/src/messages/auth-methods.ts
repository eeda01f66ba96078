/** Labels for authentication methods. */
const methods: Record<string, string> = {
  'header-key': 'X-Api-Key header',
  'basic-key': 'Authorization: Basic',
  bearer: 'Authorization: Bearer',
  'parameter-key': 'parameter p (deprecated)',
  'login-password': 'parameters u and p (deprecated)',
}

export function formatAuthMethod(method: string): string {
  return methods[method] ?? method
}
