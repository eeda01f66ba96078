/** Reads keys of maps. Listing keys costs by their number, and the engine knows the number only after listing. */
import type { Meter } from './budget.ts'
import { keyName, maxKeyLength, textUnits } from './values.ts'

/** The event's text, which bounds the number of entries of its maps. */
export interface EventText {
  text: string
  /** Counted on first use. */
  commas?: number
}

interface Charged {
  meter: Meter
  event: EventText
}

/** Larger maps are hash tables whose keys must be sorted: twenty times the cost per key. */
const maxSmallMap = 64
/** This many entries may be listed before they are charged: less than half a millisecond. */
const maxListedFirst = 1_000
/** The shortest entry is `"":1` and a comma. */
const minEntryLength = 5

/** Keys of large maps in events, shared by all filters. */
const listedKeys = new WeakMap<object, readonly string[]>()

export function keysOf(map: object, { meter, event }: Charged): readonly string[] {
  meter.spend(30)
  // Maps created by the expression are small.
  const isFromExpression = Object.getPrototypeOf(map) === null
  if (!isFromExpression && event.text.length > maxListedFirst * minEntryLength) {
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

/** Returns undefined if the map has no such key. */
export function readKey(map: object, key: unknown, { meter }: Charged): unknown {
  meter.spend(30 + textUnits(key))
  const name = keyName(key)
  if (name === undefined || name.length > maxKeyLength) return undefined
  return Object.hasOwn(map, name) ? (map as Record<string, unknown>)[name] : undefined
}
