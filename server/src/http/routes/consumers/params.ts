/** Parameters of the operations on consumers. */
import { z } from 'zod'
import { hookNotFound } from '../../../hooks/read-hook.ts'
import { readHookNames } from '../../../hooks/hook-names.ts'
import type { ConsumerSettings } from '../../../consumers/consumer-store.ts'
import type { Database } from '../../../db/database.ts'
import { hookName, nameRule } from '../../../model/display-name.ts'
import { ApiError } from '../../../model/errors.ts'
import { validateFilter } from '../../../model/filter/event-filter.ts'
import { requestMethods } from '../../../model/hook.ts'
import { decodeCursor } from '../../../tail/cursor.ts'
import type { EventPosition } from '../../../tail/read-events.ts'
import type { ApiDeps } from '../../operation/operation.ts'
import { rejectUnknownType } from '../contract/params.ts'
import { pathId } from '../fields.ts'
import { readTypes, typeParams } from '../hooks/types.ts'

export const byId = z.object({ id: pathId('Id of the consumer.') })

export const lease = z.uuid().meta({ description: 'The lease from the first poll of this reader.' })

export const cursor = z.string().max(200).meta({
  description: 'The `cursor` of a poll, or of one of its events.',
})

export function readCursor(field: string, text: string): EventPosition {
  const position = decodeCursor(text)
  if (position === undefined)
    throw new ApiError('parameterInvalid', `The parameter "${field}" is not a cursor of this service.`, {
      field,
    })
  return position
}

export const settingsParams = {
  name: z
    .string()
    .trim()
    .refine((text) => hookName.test(text), {
      error: `must have 1 to 200 characters in one line: ${nameRule}`,
    })
    .meta({ description: 'Unique name within the account.' }),
  hook_id: z.int32().positive().nullable().optional().meta({
    description:
      'A webhook. The consumer then gets the events that match it now, as the requests that it would get. Its state does not matter. Instead of the type, filter and method below.',
  }),
  ...typeParams,
  request_method: z.enum(requestMethods).optional().meta({
    description: 'Format of the requests. Default: `JSON`.',
  }),
}

type Settings = z.infer<z.ZodObject<typeof settingsParams>>
type SettingsInput = { [Name in keyof Settings]?: Settings[Name] | undefined }

const defaults = { hookId: null, eventType: 'all', eventFilter: null, requestMethod: 'JSON' } as const

/** Returns the settings of a new consumer. */
export async function readNewSettings(
  deps: Pick<ApiDeps, 'db' | 'eventTypes' | 'hookLimits'>,
  accountId: number,
  input: SettingsInput & { name: string },
): Promise<ConsumerSettings> {
  const settings = await readSettings(deps, accountId, input, defaults)
  return { ...defaults, ...settings, name: input.name }
}

/** Returns the settings that the input has. */
export async function readSettings(
  { db, eventTypes, hookLimits }: Pick<ApiDeps, 'db' | 'eventTypes' | 'hookLimits'>,
  accountId: number,
  input: SettingsInput,
  current: Pick<ConsumerSettings, 'eventType' | 'eventFilter'>,
): Promise<Partial<ConsumerSettings>> {
  const catalog = eventTypes.current()
  const types = readTypes(catalog, hookLimits, input, current)
  if (types.eventType !== undefined) rejectUnknownType(catalog, types.eventType)
  if (types.eventFilter != null) validateFilter(types.eventFilter, hookLimits.maxFilterBytes)
  if (input.hook_id != null) await requireHook(db, accountId, input.hook_id)
  return {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.hook_id !== undefined && { hookId: input.hook_id }),
    ...(input.request_method !== undefined && { requestMethod: input.request_method }),
    ...types,
  }
}

async function requireHook(db: Database, accountId: number, hookId: number): Promise<void> {
  const hook = (await readHookNames(db, accountId, [hookId])).get(hookId)
  if (hook === undefined || hook.isDeleted) throw hookNotFound(hookId)
}
