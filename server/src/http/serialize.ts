/** Response bodies as JSON. A long list is written in slices: a thousand webhooks at their longest are 9 MB. */
import { mapInSlices } from '../ops/slices.ts'

/** Returns the body itself if it has no long list, for the framework to serialize. */
export async function serialize(body: object): Promise<object> {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined)
  if (!entries.some(([, value]) => isLong(value))) return body
  const members: Buffer[] = []
  for (const [name, value] of entries)
    members.push(Buffer.from(`${JSON.stringify(name)}:`), ...(await valueOf(value)), comma)
  return Buffer.concat([Buffer.from('{'), ...members.slice(0, -1), Buffer.from('}')])
}

const minLength = 50
const comma = Buffer.from(',')

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length >= minLength
}

async function valueOf(value: unknown): Promise<Buffer[]> {
  if (!isLong(value)) return [Buffer.from(JSON.stringify(value))]
  const items = await mapInSlices(value, (item) => [Buffer.from(JSON.stringify(item) ?? 'null'), comma])
  return [Buffer.from('['), ...items.flat().slice(0, -1), Buffer.from(']')]
}
