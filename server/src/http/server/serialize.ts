/** Serializes response bodies as JSON. Long lists are written in slices, because 1,000 webhooks can have 9 MB. */
import { mapInSlices } from '../../runtime/slices.ts'

export async function serialize(body: object): Promise<Buffer> {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined)
  if (!entries.some(([, value]) => isLong(value))) return Buffer.from(JSON.stringify(body))
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
