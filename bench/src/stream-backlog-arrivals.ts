/** What the receiver of the stream-backlog proof notes: 16 bytes of id and 8 of time for each request. */
export const arrivalBytes = 24

export interface ReceiverAnswers {
  url: string
  count: number
  arrivals: Uint8Array
}

/** The moments at which each event arrived, by its id without hyphens. */
export function readArrivals(bytes: Uint8Array): Map<string, number[]> {
  const buffer = Buffer.from(bytes)
  const byId = new Map<string, number[]>()
  for (let place = 0; place < buffer.length; place += arrivalBytes) {
    const id = buffer.toString('hex', place, place + 16)
    const at = buffer.readDoubleBE(place + 16)
    const known = byId.get(id)
    if (known === undefined) byId.set(id, [at])
    else known.push(at)
  }
  return byId
}
