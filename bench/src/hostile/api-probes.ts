/** Makes API calls of healthy accounts as an open load, timed from the scheduled start. */
import { type LoadResult, merge, openLoad } from '../support/load.ts'

export interface HealthyAccount {
  id: number
  key: string
}

const ratesPerSecond = { list: 4, search: 4, register: 1 }

/** Runs the probes. A response other than 200 counts as a failure. */
export async function probeApi(
  apiUrl: string,
  accounts: readonly HealthyAccount[],
  seconds: number,
): Promise<LoadResult> {
  let count = 0
  const next = (): HealthyAccount => accounts[count++ % accounts.length] ?? { id: 0, key: '' }
  const calls: Record<keyof typeof ratesPerSecond, () => Promise<Response>> = {
    list: () => call(apiUrl, next(), '/api/hooks'),
    search: () => call(apiUrl, next(), '/api/events?state=delivered&limit=20'),
    register: () =>
      call(apiUrl, next(), '/api/hooks', {
        target_url: `http://127.0.10.1:9/probe-${count}`,
        // The load has no events of this type, so registering adds no deliveries.
        event_type: 'voice_dtmf',
      }),
  }
  const probes = Object.entries(calls).map(([kind, make]) =>
    openLoad(ratesPerSecond[kind as keyof typeof ratesPerSecond], seconds, async () => {
      const response = await make()
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${kind} returned ${response.status}`)
      return kind
    }),
  )
  return merge(await Promise.all(probes))
}

function call(
  apiUrl: string,
  { key }: HealthyAccount,
  path: string,
  form?: Record<string, string>,
): Promise<Response> {
  return fetch(apiUrl + path, {
    headers: { 'x-api-key': key },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    signal: AbortSignal.timeout(30_000),
  })
}
