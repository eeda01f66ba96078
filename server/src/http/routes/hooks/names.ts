/** Name and description of a webhook as parameters and in responses, and how other responses name webhooks. */
import { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { type NamedHook, readHookNames } from '../../../hooks/hook-names.ts'
import { descriptionRule, hookDescription, hookName, nameRule } from '../../../model/display-name.ts'
import type { HookTexts } from '../../../model/hook.ts'
import { endpointOf } from '../../../model/target-url.ts'

/** Null or empty for none. Line feeds are those of Unix, whatever the client sends. */
export const hookTextParams = {
  name: optionalText(hookName, `must have at most 200 characters in one line: ${nameRule}`).meta({
    description:
      'Name for users, at most 200 characters. Null or empty for none. Does not affect deliveries.',
  }),
  description: optionalText(hookDescription, `must have at most 1,000 characters: ${descriptionRule}`).meta({
    description: 'Description for users, at most 1,000 characters. Null or empty for none.',
  }),
}

function optionalText(pattern: RegExp, error: string) {
  return z
    .string({ error: 'must be a string or null' })
    .overwrite((text) => text.replaceAll('\r\n', '\n').trim())
    .refine((text) => text === '' || pattern.test(text), { error })
    .nullable()
    .optional()
}

/** Returns the texts that the input has. */
export function readTexts(input: {
  [Name in keyof HookTexts]?: string | null | undefined
}): Partial<HookTexts> {
  return {
    ...(input.name !== undefined && { name: input.name || null }),
    ...(input.description !== undefined && { description: input.description || null }),
  }
}

export const endpoint = z.string().meta({
  description: 'Host and path of the endpoint URL, to show for a webhook without a name.',
})

export const namedHookResponse = z
  .object({
    id: z.int32().positive(),
    name: z.string().nullable(),
    endpoint,
    deleted: z.boolean(),
  })
  .meta({
    id: 'NamedWebhook',
    description: 'How users know a webhook. A deleted webhook has its last name and endpoint.',
  })

export type NamedWebhook = z.infer<typeof namedHookResponse>

export function presentName({ id, name, targetUrl, isDeleted }: NamedHook): NamedWebhook {
  return { id, name, endpoint: endpointOf(targetUrl), deleted: isDeleted }
}

/** Returns a lookup of the webhooks with these ids. Its result is null if nothing is known of a webhook. */
export async function readNames(
  db: Database,
  accountId: number,
  ids: Iterable<number>,
): Promise<{ find: (id: number | null) => NamedWebhook | null; all: NamedWebhook[] }> {
  const names = await readHookNames(db, accountId, ids)
  const all = [...names.values()].map(presentName)
  const byId = new Map(all.map((webhook) => [webhook.id, webhook]))
  return { find: (id) => (id === null ? null : (byId.get(id) ?? null)), all }
}
