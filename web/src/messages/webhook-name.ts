/** How users read a webhook everywhere: by its name, or else by the host and path of its endpoint. */
interface Named {
  name: string | null
  endpoint: string
}

/** Without a value, the webhook was deleted so long ago that nothing is stored about it. */
export function webhookName(webhook: Named | null | undefined): string {
  return webhook?.name ?? webhook?.endpoint ?? 'Deleted webhook'
}
