/** Older names of event types. A hook with such a name receives one part of the type. Pure. */

interface EventPart {
  /** The type of the events. */
  type: string
  /** Follows "The webhook receives only". */
  description: string
  includes: (data: Readonly<Record<string, unknown>>) => boolean
}

const parts = {
  rcs_mo: { type: 'rcs', description: 'inbound RCS messages', includes: isMessage },
  rcs_dlr: { type: 'rcs', description: 'RCS status events', includes: (data) => !isMessage(data) },
} as const satisfies Record<string, EventPart>

export type PartName = keyof typeof parts

export const partNames = Object.keys(parts) as PartName[]

/** Only inbound messages have a content type. */
function isMessage({ content_type }: Readonly<Record<string, unknown>>): boolean {
  return typeof content_type === 'string'
}

export function isPartName(name: string): name is PartName {
  return Object.hasOwn(parts, name)
}

export function findPart(name: string): EventPart | undefined {
  return isPartName(name) ? parts[name] : undefined
}

/** Returns the event type that a name stands for: `rcs` for `rcs_mo`. */
export function typeOfName(name: string): string {
  return findPart(name)?.type ?? name
}
