/** Masks the data of an event. Public fields of its type stay; all others are masked, including unknown fields. */
import { mask } from './mask.ts'

/** Masks JSON text of an object. */
export function maskData(data: string, publicFields: ReadonlySet<string>): string {
  const members = Object.entries(JSON.parse(data) as object)
  return JSON.stringify(
    Object.fromEntries(members.map(([name, value]) => [name, maskField(name, value, publicFields)])),
  )
}

/** Masks one value, by its field name. */
export function maskField(name: string, value: unknown, publicFields: ReadonlySet<string>): unknown {
  return publicFields.has(name) && !isContainer(value) ? value : maskValue(value)
}

/** Masks everything inside, whatever its name. */
function maskValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskValue)
  if (isContainer(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskValue(inner)]))
  return value === null || typeof value === 'boolean' ? value : mask(`${value as string | number}`)
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
