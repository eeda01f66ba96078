/**
 * Reads a JSON Schema as lists of fields, one list per variant of the data. Operators write schemas of custom types, so an
 * unknown keyword is ignored and the number of fields is limited.
 */
export interface Field {
  /** Path from `data`, such as `user_file.payload.fileUri` or `parts[]`. */
  name: string
  type: string
  isRequired: boolean
  description: string
  values: readonly string[]
}

export interface Variant {
  /** What tells the variant from the others, such as the value of `content_type`. */
  title: string
  fields: readonly Field[]
  /** Whether further fields can follow. */
  isOpen: boolean
  matches: (sample: Readonly<Record<string, unknown>>) => boolean
}

interface Schema {
  title?: string
  type?: string | readonly string[]
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  additionalProperties?: unknown
  const?: Literal
  enum?: readonly Literal[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  $ref?: string
  $defs?: Readonly<Record<string, Schema>>
  definitions?: Readonly<Record<string, Schema>>
}

/** Other values are possible, but tell no variants apart. */
type Literal = string | number | boolean | null
type Resolve = (schema: Schema) => Schema

const maxFields = 300
const maxDepth = 8

export function readVariants(root: Schema): Variant[] {
  const resolve = (schema: Schema): Schema => resolveSchema(root, schema)
  const top = resolve(root)
  const choices = (top.anyOf ?? top.oneOf ?? [{}]).map(resolve)
  const parts = choices.map((choice) => mergeSchemas(top, choice))
  return parts.map((part, index) => {
    const fixed = fixedFields(part, resolve)
    return {
      title: choices[index]?.title ?? titleOf(part, parts, resolve) ?? `Variant ${index + 1}`,
      fields: listFields(part, resolve, '', 0).slice(0, maxFields),
      isOpen: part.additionalProperties !== false,
      matches: (sample) =>
        fixed.every(({ name, value }) => sample[name] === value) &&
        (part.required ?? []).every((name) => Object.hasOwn(sample, name)),
    }
  })
}

/** Returns what tells a variant from the others: a fixed value, or a required field that the others lack. */
function titleOf(part: Schema, parts: readonly Schema[], resolve: Resolve): string | undefined {
  const others = parts.filter((other) => other !== part)
  const fixed = fixedFields(part, resolve).find(({ name, value }) =>
    others.every(
      (other) => !fixedFields(other, resolve).some((field) => field.name === name && field.value === value),
    ),
  )
  if (fixed !== undefined) return String(fixed.value)
  const own = part.required?.find((name) =>
    others.every(({ properties }) => properties?.[name] === undefined),
  )
  return own === undefined ? undefined : `With ${own}`
}

function fixedFields(part: Schema, resolve: Resolve): { name: string; value: Literal }[] {
  return Object.entries(part.properties ?? {}).flatMap(([name, field]) => {
    const value = resolve(field).const
    return value === undefined ? [] : [{ name, value }]
  })
}

function resolveSchema(root: Schema, schema: Schema): Schema {
  const name = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(schema.$ref ?? '')?.[1]
  const target = name === undefined ? undefined : (root.$defs?.[name] ?? root.definitions?.[name])
  const merged = target === undefined ? schema : mergeSchemas(target, { ...schema, $ref: '' })
  return (merged.allOf ?? []).reduce(
    (result, part) => mergeSchemas(result, resolveSchema(root, part)),
    merged,
  )
}

function mergeSchemas(one: Schema, other: Schema): Schema {
  return {
    ...one,
    ...other,
    properties: { ...one.properties, ...other.properties },
    required: [...(one.required ?? []), ...(other.required ?? [])],
  }
}

function listFields(
  schema: Schema,
  resolve: (schema: Schema) => Schema,
  path: string,
  depth: number,
): Field[] {
  if (depth > maxDepth) return []
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = resolve(property)
    const own = {
      name: path + name,
      type: typeName(field, resolve),
      isRequired: schema.required?.includes(name) === true,
      description: field.description ?? '',
      values: (field.enum ?? (field.const === undefined ? [] : [field.const])).map(String),
    }
    const items = field.items === undefined ? undefined : resolve(field.items)
    const nested =
      items === undefined
        ? listFields(field, resolve, `${own.name}.`, depth + 1)
        : listFields(items, resolve, `${own.name}[].`, depth + 1)
    return [own, ...nested]
  })
}

function typeName(schema: Schema, resolve: Resolve): string {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined)
    return [...new Set(choices.map((choice) => typeName(resolve(choice), resolve)))].join(' or ')
  if (schema.type !== undefined) return [schema.type].flat().join(' or ')
  const [value] = schema.enum ?? [schema.const]
  return value === undefined ? 'any' : value === null ? 'null' : typeof value
}
