/** All event types: the built-in ones and those that the operator has added. Pure; replaced as a whole by a change. */
import { deliverableTypes, isBuiltIn } from '../event.ts'
import { findPart, partNames, typeOfName } from '../event-part.ts'
import { builtInTraits, type EventTraits, unknownTraits } from '../event-traits.ts'
import { samples } from '../sample-events.ts'
import { isAccountEvent } from './account-event.ts'
import { accountTypes } from './account-types.ts'
import { checkSchema } from './check-schema.ts'
import { type EventTypeDefinition, typeNamePattern } from './definition.ts'
import { createValidator, type Validator } from './validator.ts'

/** A type of the operator. A removed one stays known for its stored events. */
export interface AddedType {
  definition: EventTypeDefinition
  removedAt: Date | null
}

interface CompiledType extends AddedType {
  traits: EventTraits
  /** Checks that a value of the data can meet. */
  checks: number
  validate: Validator
}

export interface EventCatalog {
  /** Types that events can have now, without unknown ones. */
  types: readonly string[]
  /** Those that producers can submit. */
  intakeTypes: readonly string[]
  /** Names that hooks can be registered with. */
  hookTypes: readonly string[]
  /** Whether events of unknown types are accepted, for hooks of type `all`. */
  acceptsUnknown: boolean
  /** Types of the operator, without removed ones. */
  added: readonly EventTypeDefinition[]
  find: (type: string) => CompiledType | undefined
  /** Whether stored events may have the type: also removed types, and unknown ones if they are accepted. */
  isEventType: (type: string) => boolean
  /** Whether hooks may have the name: also those of removed types. */
  isHookType: (name: string) => boolean
  traitsOf: (type: string) => EventTraits
  /** Returns the sample that a hook with this name receives; undefined for an unknown type. */
  sampleOf: (name: string) => Record<string, unknown> | undefined
}

export function createCatalog(all: readonly AddedType[], acceptsUnknown: boolean): EventCatalog {
  const byName = new Map([
    // A type that an operator added before it became built in is not used any more.
    ...all.map((type) => [type.definition.name, compileType(type)] as const),
    ...accountTypes.map(
      (definition) => [definition.name, compileType({ definition, removedAt: null })] as const,
    ),
  ])
  const added = all
    .filter(({ definition, removedAt }) => removedAt === null && !isAccountEvent(definition.name))
    .map(({ definition }) => definition)
  const intakeTypes = [...deliverableTypes, ...added.map(({ name }) => name)]
  const types = [...intakeTypes, ...accountTypes.map(({ name }) => name)]
  const hookTypes = ['all', ...types, ...partNames]
  return {
    types,
    intakeTypes,
    hookTypes,
    acceptsUnknown,
    added,
    find: (type) => byName.get(type),
    isEventType: (type) =>
      isBuiltIn(type) || byName.has(type) || (acceptsUnknown && typeNamePattern.test(type)),
    isHookType: (name) => hookTypes.includes(name) || byName.has(name),
    traitsOf: (type) => (isBuiltIn(type) ? builtInTraits[type] : (byName.get(type)?.traits ?? unknownTraits)),
    sampleOf(name) {
      const type = typeOfName(name)
      if (!isBuiltIn(type)) return byName.get(type)?.definition.sample
      const ofType: readonly Record<string, unknown>[] = samples[type]
      return ofType.find((sample) => findPart(name)?.includes(sample)) ?? ofType[0]
    },
  }
}

export const builtInCatalog = createCatalog([], false)

/** A schema that this version does not allow rejects events of its type, not the whole call. */
function compileSchema(schema: EventTypeDefinition['schema']): { validate: Validator; checks: number } {
  try {
    return { validate: createValidator(schema), checks: checkSchema(schema) }
  } catch {
    return {
      validate: () => 'The schema of this event type cannot be used. Contact the operator.',
      checks: 0,
    }
  }
}

function compileType({ definition, removedAt }: AddedType): CompiledType {
  let compiled: { validate: Validator; checks: number } | undefined
  // Only processes that accept events compile a schema, when the first event of the type arrives.
  const compile = () => (compiled ??= compileSchema(definition.schema))
  return {
    definition,
    removedAt,
    traits: {
      filterField: definition.filter_field,
      isTimeSensitive: definition.time_sensitive,
      publicFields: new Set(definition.public_fields),
      removedAt,
    },
    get checks() {
      return compile().checks
    },
    validate: (data) => compile().validate(data),
  }
}
