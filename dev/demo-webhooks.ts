/** Registers the webhooks of the demo and removes those of earlier runs, whose receivers no longer exist. */

interface DemoApi {
  url: string
  key: string
}

interface DemoTarget {
  name: string
  url: string
}

interface DemoWebhook {
  id: string
  event_type: string
  request_method: string
  target_url: string
}

/** Only webhooks of the demo have this path on loopback. Webhooks of the user stay. */
export const demoPath = '/hookline-demo'

/** Returns the ids in the order of the targets. */
export async function registerDemoWebhooks(api: DemoApi, targets: readonly DemoTarget[]): Promise<string[]> {
  const existing = await listWebhooks(api)
  for (const { id, target_url } of existing)
    if (isDemoWebhook(target_url)) await callApi(api, 'DELETE', { id })
  const ids: string[] = []
  for (const { name, url: target_url } of targets) {
    const hook = { name, target_url, event_type: 'sms_mo', request_method: 'JSON' }
    const { hook: created } = await callApi(api, 'POST', hook, '/create')
    ids.push(String((created as { id: number }).id))
  }
  return ids
}

export async function listWebhooks(api: DemoApi): Promise<DemoWebhook[]> {
  return (await callApi(api, 'GET')).hooks as DemoWebhook[]
}

function isDemoWebhook(targetUrl: string): boolean {
  const { hostname, pathname } = new URL(targetUrl)
  return hostname === '127.0.0.1' && pathname.startsWith(`${demoPath}/`)
}

async function callApi(
  { url, key }: DemoApi,
  method: string,
  fields?: Record<string, string>,
  path = '',
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api/hooks${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(fields !== undefined && { body: JSON.stringify(fields) }),
  })
  const body = (await response.json()) as Record<string, unknown>
  if (body.success !== true) throw new Error(`${method} /api/hooks${path}: ${String(body.error_message)}`)
  return body
}
