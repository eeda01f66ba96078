/** The tenant's webhooks: as many as it may have, each value as long as it may be, to receivers that are slow or broken. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Prepared } from './orders.ts'
import type { Tenant } from './tenant.ts'
import { worstFilters } from './worst-filters.ts'

const maxUrlBytes = 2_048
const headerValue = 'v'.repeat(250)
const headers = Array.from({ length: 28 }, (_, n) => `x-hostile-${n}: ${headerValue}`).join('\n')
const methods = ['POST', 'GET', 'JSON']
const createsInParallel = 4
/** The last one is without a filter. */
const maxTries = 5
const maxWaits = 120

type HookForm = Record<'target_url' | 'event_type' | 'request_method' | 'event_filter' | 'headers', string>

/** Every fourth has no filter and so gets every event; the others have the worst there are. */
export function longestHook({ receiverUrls }: Pick<Tenant, 'receiverUrls'>, count: number): HookForm {
  const target = `${receiverUrls[count % receiverUrls.length]}/hook-${count}/`
  return {
    target_url: target + 'p'.repeat(maxUrlBytes - target.length),
    event_type: 'all',
    request_method: methods[count % methods.length] ?? 'POST',
    event_filter: count % 4 === 0 ? '' : (worstFilters[(count * 7) % worstFilters.length] ?? ''),
    headers,
  }
}

/** Registers them over the API; a filter that is refused is replaced by the next. */
export async function registerHooks(tenant: Tenant): Promise<Prepared> {
  let next = 0
  const refused: Record<string, number> = {}
  const register = async (count: number): Promise<void> => {
    for (let nth = 0; nth < maxTries; nth++) {
      const form = longestHook(tenant, count)
      if (nth > 0) form.event_filter = worstFilters[(count + nth) % worstFilters.length] ?? ''
      if (nth === maxTries - 1) form.event_filter = ''
      const { status, body } = await sendPatiently(tenant, form)
      if (body?.success === true) {
        tenant.hookIds.push(body.id)
        return
      }
      refused[status] = (refused[status] ?? 0) + 1
    }
  }
  const run = async (): Promise<void> => {
    while (next < tenant.hooks) await register(next++)
  }
  await Promise.all(Array.from({ length: createsInParallel }, run))
  return { registered: tenant.hookIds.length, refused }
}

/** Limits on changes and a busy service pass: registering goes on then. What the service logs of it is judged elsewhere. */
async function sendPatiently(tenant: Tenant, form: HookForm) {
  for (let wait = 0; ; wait++) {
    const response = await tenant.send({ method: 'POST', path: '/api/hooks', form })
    const isPassing = response.status === '429' || response.status.startsWith('5')
    if (!isPassing || wait === maxWaits) return response
    await sleep(1_000)
  }
}
