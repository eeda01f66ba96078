/** Uses a deployment as its first operator and customer do, up to a delivered event. */
import type { Receiver } from '../../../dev/receiver.ts'
import { waitFor } from '../support/wait-for.ts'

export interface Deployment {
  /** Runs an admin command and returns its output. */
  admin: (args: readonly string[]) => Promise<string>
  /** URLs of the public and the internal listener. */
  url: string
  internalUrl: string
}

export interface Customer {
  accountId: number
  /** API key of the account. */
  key: string
  producerKey: string
}

async function createCustomer({ admin }: Pick<Deployment, 'admin'>): Promise<Customer> {
  const create = async (...args: string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await admin([...args, '--json']))
  const { account_id: account } = await create('account', 'create', '--name', 'Demo')
  const { key } = await create('key', 'create', '--account', String(account), '--name', 'laptop')
  const { key: producerKey } = await create('producer', 'create', '--name', 'gateway')
  return { accountId: Number(account), key: String(key), producerKey: String(producerKey) }
}

export async function createWebhook(url: string, { key }: Customer, target: string): Promise<void> {
  const response = await fetch(`${url}/api/hooks`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: new URLSearchParams({ target_url: target, event_type: 'sms_mo' }),
  })
  await rejectFailure(response)
}

export async function sendEvent(internalUrl: string, customer: Customer, messageId: string): Promise<void> {
  const data = {
    id: messageId,
    sender: '491700000001',
    system: '491700000002',
    text: 'Hello',
    time: '1731656400',
  }
  const response = await fetch(`${internalUrl}/intake/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${customer.producerKey}` },
    body: JSON.stringify({ events: [{ account_id: customer.accountId, type: 'sms_mo', data }] }),
  })
  await rejectFailure(response)
}

/** Opens the dashboard, and delivers a first event. */
export async function tryOut(deployment: Deployment, receiver: Receiver): Promise<Customer> {
  const page = await fetch(deployment.url, { headers: { accept: 'text/html' } })
  if (!page.ok || !(await page.text()).includes('<script')) throw new Error(`no dashboard: ${page.status}`)
  return deliverFirstEvent(deployment, receiver)
}

/** Creates an account and a webhook, sends an event and waits for its delivery. */
export async function deliverFirstEvent(deployment: Deployment, receiver: Receiver): Promise<Customer> {
  const customer = await createCustomer(deployment)
  await createWebhook(deployment.url, customer, receiver.url('/first'))
  await sendEvent(deployment.internalUrl, customer, 'first')
  await receiver.until(() => receiver.at('/first').length === 1, 30_000)
  return customer
}

export async function waitUntilReady(internalUrl: string): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    const response = await fetch(`${internalUrl}/health/ready`).catch(() => undefined)
    return response?.ok ?? false
  }
  await waitFor(`${internalUrl} to be ready`, isReady, 60_000)
}

export async function rejectFailure(response: Response): Promise<void> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
}
