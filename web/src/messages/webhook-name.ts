/** How users read a webhook everywhere: by its name, or else by the host and path of its endpoint. */
import type { NamedWebhook } from '../api/types.ts'

type Named = Pick<NamedWebhook, 'name' | 'endpoint'>

/** Without a value, the webhook was deleted so long ago that nothing is stored about it. */
export function webhookName(webhook: Named | null | undefined): string {
  return webhook?.name ?? webhook?.endpoint ?? 'Deleted webhook'
}
