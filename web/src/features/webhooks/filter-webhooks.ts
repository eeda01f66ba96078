/** Filters and sorts webhooks as the URL requests. */
import type { HealthState, HookWithHealth } from '../../api/types.ts'
import { matches } from '../../lib/text-match.ts'
import { healthOrder } from '../../messages/states.ts'
import { hookTypesText } from '../../messages/event-types.ts'
import { webhookName } from '../../messages/webhook-name.ts'

export const hookSorts = {
  attention: 'Needs attention first',
  name: 'Name',
  address: 'Endpoint URL',
  newest: 'Newest first',
  success: 'Lowest success rate',
  delivery: 'Last delivery',
} as const
export type HookSort = keyof typeof hookSorts

export interface WebhooksSearch {
  q?: string | undefined
  state?: HealthState | undefined
  sort?: HookSort | undefined
}

const orders: Record<HookSort, (one: HookWithHealth, other: HookWithHealth) => number> = {
  attention: (one, other) => rank(one) - rank(other) || other.hook.id - one.hook.id,
  name: (one, other) => webhookName(one.hook).localeCompare(webhookName(other.hook)),
  address: (one, other) => one.hook.target_url.localeCompare(other.hook.target_url),
  newest: (one, other) => other.hook.id - one.hook.id,
  success: (one, other) => (one.health.success_rate ?? 2) - (other.health.success_rate ?? 2),
  delivery: (one, other) =>
    (other.health.last_delivered_at ?? '').localeCompare(one.health.last_delivered_at ?? ''),
}

function rank({ health }: HookWithHealth): number {
  return healthOrder.indexOf(health.state)
}

export function filterWebhooks(hooks: readonly HookWithHealth[], search: WebhooksSearch): HookWithHealth[] {
  const { q = '', state, sort = 'attention' } = search
  return hooks
    .filter(({ health }) => state === undefined || health.state === state)
    .filter(({ hook }) =>
      matches(
        q,
        String(hook.id),
        webhookName(hook),
        hook.description ?? '',
        hook.target_url,
        hook.event_type,
        hookTypesText(hook),
      ),
    )
    .toSorted(orders[sort])
}
