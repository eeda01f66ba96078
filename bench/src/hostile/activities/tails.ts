/** Live tails that are opened repeatedly, some from an hour ago, and not read. */
import { request } from 'node:http'
import type { Activity } from '../activity.ts'
import type { Tenant } from '../tenant.ts'

const heldOpenMs = 20_000

export const tailActivities: readonly Activity[] = [
  {
    name: 'tails',
    description: 'live tails that are opened, not read, and cut',
    perSecond: 5,
    maxInFlight: 40,
    call: openTail,
  },
]

function openTail({ apiUrl, key }: Tenant, count: number): Promise<string> {
  const from = count % 2 === 0 ? 'now' : new Date(Date.now() - 3_600_000).toISOString()
  return new Promise((resolve) => {
    const call = request(`${apiUrl}/api/events/stream?from=${from}`, {
      headers: { 'x-api-key': key },
      agent: false,
    })
    const timer = setTimeout(() => call.destroy(), heldOpenMs)
    const finish = (result: string): void => {
      clearTimeout(timer)
      call.destroy()
      resolve(result)
    }
    call.on('response', (response) => {
      const status = String(response.statusCode)
      // Never reads the stream, so that its data backs up in the service.
      if (response.statusCode === 200) response.pause()
      else response.resume().on('end', () => finish(status))
      response.on('error', () => {}).on('close', () => finish(status))
    })
    call.on('error', () => finish('cut'))
    call.end()
  })
}
