/** Events of the tenant, as the gateway submits them: many small ones, and the largest that are legal. */
import type { Activity } from '../activity.ts'
import { eventShapes } from '../hostile-events.ts'
import { noteEvents, type Tenant } from '../tenant.ts'

const shapes = Object.values(eventShapes)
/** Below the limit of 256 KiB with room for the other fields; smaller ones pass where the largest are refused. */
const sizes = [250_000, 120_000, 60_000, 20_000]
const smallEventsPerCall = 10

export const eventActivities: readonly Activity[] = [
  {
    name: 'large-events',
    what: 'the largest and oddest legal events',
    perSecond: 1,
    call(tenant, count) {
      const shape = shapes[count % shapes.length]
      const size = sizes[Math.floor(count / shapes.length) % sizes.length] ?? 0
      return submit(tenant, [shape?.(size) ?? {}])
    },
  },
  {
    name: 'event-flood',
    what: `${smallEventsPerCall} small events a call, each for all its webhooks`,
    perSecond: 2,
    call: (tenant) =>
      submit(
        tenant,
        Array.from({ length: smallEventsPerCall }, () => eventShapes['names of methods']?.(0) ?? {}),
      ),
  },
]

async function submit(tenant: Tenant, datas: ReadonlyArray<Record<string, unknown>>): Promise<string> {
  const { status, body } = await tenant.send({
    method: 'POST',
    path: '/intake/events',
    json: { events: datas.map((data) => ({ account_id: tenant.accountId, type: 'sms_mo', data })) },
    headers: { authorization: `Bearer ${tenant.producerKey}` },
    isAnonymous: true,
    isIntake: true,
  })
  noteEvents(tenant, body?.accepted ?? [])
  return status
}
