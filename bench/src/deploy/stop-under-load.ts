/** Stops a process under load. Every accepted event must be delivered, once. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Receiver } from '../../../dev/receiver.ts'
import { type Customer, sendEvent } from './try-out.ts'

const events = 600
const eventsPerSecond = 100
/** Time in which a second delivery of an event would arrive. */
const repeatMs = 2_000

interface StopUnderLoad {
  internalUrl: string
  customer: Customer
  /** Receives the events of the customer. */
  receiver: Receiver
  stop: () => Promise<void>
}

export async function stopUnderLoad({ internalUrl, customer, receiver, stop }: StopUnderLoad): Promise<void> {
  const before = receiver.requests.length
  const load = sendEvents(internalUrl, customer)
  await sleep((events / eventsPerSecond / 3) * 1_000)
  const startedAt = performance.now()
  await stop()
  const seconds = (performance.now() - startedAt) / 1_000
  const accepted = await load
  await receiver.until((requests) => requests.length >= before + accepted.length, 60_000)
  await sleep(repeatMs)
  const counts = accepted.map((id) => receiver.requests.filter(({ body }) => body.includes(id)).length)
  const lost = counts.filter((count) => count === 0).length
  const repeated = counts.filter((count) => count > 1).length
  console.log(
    `stopped within ${seconds.toFixed(1)} s under ${eventsPerSecond} events/s: ${accepted.length} accepted, ${lost} lost, ${repeated} repeated`,
  )
  if (lost + repeated > 0) throw new Error('events were lost or repeated')
}

async function sendEvents(internalUrl: string, customer: Customer): Promise<string[]> {
  const accepted: string[] = []
  for (let count = 0; count < events; count++) {
    const id = `load-${count}-`
    await sendEvent(internalUrl, customer, id)
    accepted.push(id)
    await sleep(1_000 / eventsPerSecond)
  }
  return accepted
}
