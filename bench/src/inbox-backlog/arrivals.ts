/** Reads the arrivals that the receiver records: 16 bytes of id and 8 bytes of time per request. */
export const arrivalBytes = 24

export interface ReceiverResponses {
  url: string
  count: number
  arrivals: Uint8Array
}

/** Returns the arrival times by event id without hyphens. */
export function readArrivals(bytes: Uint8Array): Map<string, number[]> {
  const buffer = Buffer.from(bytes)
  const byId = new Map<string, number[]>()
  for (let offset = 0; offset < buffer.length; offset += arrivalBytes) {
    const id = buffer.toString('hex', offset, offset + 16)
    const at = buffer.readDoubleBE(offset + 16)
    const times = byId.get(id)
    if (times === undefined) byId.set(id, [at])
    else times.push(at)
  }
  return byId
}
