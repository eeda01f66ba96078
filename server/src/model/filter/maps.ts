/** Keys of maps. Listing them costs by their number, and the engine tells the number only by listing them. */
import type { Meter } from './budget.ts'
import { keyName, maxKeyLength, textUnits } from './values.ts'

/** The event as it was written, from which follows how many entries its maps can have. */
export interface EventText {
  text: string
  /** Counted when it is first needed. */
  commas?: number
}

interface Charged {
  meter: Meter
  event: EventText
}

/** Larger maps are hash tables, whose keys have to be sorted: twenty times the cost of each. */
const maxSmallMap = 64
/** So many entries may be listed first and charged afterwards: less than half a millisecond. */
const maxListedFirst = 1_000
/** The shortest entry is `"":1` and a comma. */
const minEntryLength = 5

/** Of large maps of events: every filter that needs them gets the same. */
const listedKeys = new WeakMap<object, readonly string[]>()

export function keysOf(map: object, { meter, event }: Charged): readonly string[] {
  meter.spend(30)
  // Maps that the expression made are small.
  const isOwn = Object.getPrototypeOf(map) === null
  if (!isOwn && event.text.length > maxListedFirst * minEntryLength) {
    meter.spend(event.text.length / 2)
    event.commas ??= countCommas(event.text)
    if (event.commas >= maxListedFirst) meter.spend(unitsOf(event.commas + 1))
  }
  const keys = listedKeys.get(map) ?? Object.keys(map)
  if (keys.length > maxSmallMap) listedKeys.set(map, keys)
  meter.spend(unitsOf(keys.length))
  return keys
}

function unitsOf(entries: number): number {
  return (entries <= maxSmallMap ? 80 : 400) * entries
}

function countCommas(text: string): number {
  let commas = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 44) commas++
  return commas
}

/** Undefined: the map has no such key. */
export function readKey(map: object, key: unknown, { meter }: Charged): unknown {
  meter.spend(30 + textUnits(key))
  const name = keyName(key)
  if (name === undefined || name.length > maxKeyLength) return undefined
  return Object.hasOwn(map, name) ? (map as Record<string, unknown>)[name] : undefined
}
