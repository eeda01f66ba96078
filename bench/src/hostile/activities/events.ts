/** Events of the tenant, as the gateway submits them: many small events, and events of maximum size. */
import type { Activity } from '../activity.ts'
import { eventShapes } from '../hostile-events.ts'
import { recordEvents, type Tenant } from '../tenant.ts'

const shapes = Object.values(eventShapes)
/** Below the limit of 256 KiB, with room for the other fields. Smaller events pass where the largest are rejected. */
const sizes = [250_000, 120_000, 60_000, 20_000]
const smallEventsPerCall = 10

export const eventActivities: readonly Activity[] = [
  {
    name: 'large-events',
    description: 'valid events of maximum size and unusual shape',
    perSecond: 1,
    call(tenant, count) {
      const shape = shapes[count % shapes.length]
      const size = sizes[Math.floor(count / shapes.length) % sizes.length] ?? 0
      return submit(tenant, [shape?.(size) ?? {}])
    },
  },
  {
    name: 'event-flood',
    description: `${smallEventsPerCall} small events per call, each for all webhooks`,
    perSecond: 2,
    call: (tenant) =>
      submit(
        tenant,
        Array.from({ length: smallEventsPerCall }, () => eventShapes['names of methods']?.(0) ?? {}),
      ),
  },
]

async function submit(tenant: Tenant, payloads: ReadonlyArray<Record<string, unknown>>): Promise<string> {
  const { status, body } = await tenant.send({
    method: 'POST',
    path: '/intake/events',
    json: { events: payloads.map((data) => ({ account_id: tenant.accountId, type: 'sms_mo', data })) },
    headers: { authorization: `Bearer ${tenant.producerKey}` },
    isAnonymous: true,
    isIntake: true,
  })
  recordEvents(tenant, body?.accepted ?? [])
  return status
}
