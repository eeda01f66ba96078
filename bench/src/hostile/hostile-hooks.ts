/** Webhooks of the tenant: the maximum number, with values of maximum length, to slow or broken receivers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Prepared } from './commands.ts'
import type { Tenant } from './tenant.ts'
import { worstFilters } from './worst-filters.ts'

const maxUrlBytes = 2_048
const headerValue = 'v'.repeat(250)
const headers = Array.from({ length: 28 }, (_, n) => `x-hostile-${n}: ${headerValue}`).join('\n')
const methods = ['POST', 'GET', 'JSON']
const createsInParallel = 4
/** The last attempt uses no filter. */
const maxAttempts = 5
const maxWaits = 120

type HookForm = Record<'target_url' | 'event_type' | 'request_method' | 'event_filter' | 'headers', string>

/** Returns a webhook. Every fourth has no filter and matches all events. The others have the most expensive filters. */
export function maxHook({ receiverUrls }: Pick<Tenant, 'receiverUrls'>, count: number): HookForm {
  const target = `${receiverUrls[count % receiverUrls.length]}/hook-${count}/`
  return {
    target_url: target + 'p'.repeat(maxUrlBytes - target.length),
    event_type: 'all',
    request_method: methods[count % methods.length] ?? 'POST',
    event_filter: count % 4 === 0 ? '' : (worstFilters[(count * 7) % worstFilters.length] ?? ''),
    headers,
  }
}

/** Registers the webhooks with the API. Replaces a rejected filter with the next. */
export async function registerHooks(tenant: Tenant): Promise<Prepared> {
  let next = 0
  const rejected: Record<string, number> = {}
  const register = async (count: number): Promise<void> => {
    for (let nth = 0; nth < maxAttempts; nth++) {
      const form = maxHook(tenant, count)
      if (nth > 0) form.event_filter = worstFilters[(count + nth) % worstFilters.length] ?? ''
      if (nth === maxAttempts - 1) form.event_filter = ''
      const { status, body } = await sendWithRetries(tenant, form)
      if (body?.success === true) {
        tenant.hookIds.push(body.id)
        return
      }
      const error = `${status} ${body?.error_message ?? 'without a message'}`
      rejected[error] = (rejected[error] ?? 0) + 1
    }
  }
  const run = async (): Promise<void> => {
    while (next < tenant.hooks) await register(next++)
  }
  await Promise.all(Array.from({ length: createsInParallel }, run))
  return { registered: tenant.hookIds.length, rejected }
}

/** Retries on 429 and 5xx, which are temporary. `verify.ts` checks the errors that the service logs. */
async function sendWithRetries(tenant: Tenant, form: HookForm) {
  for (let wait = 0; ; wait++) {
    const response = await tenant.send({ method: 'POST', path: '/api/hooks', form })
    const isTemporary = response.status === '429' || response.status.startsWith('5')
    if (!isTemporary || wait === maxWaits) return response
    await sleep(1_000)
  }
}
