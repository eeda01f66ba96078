/** What a call to `/api` can do: who may, with which parameters, and what it answers. The OpenAPI document reads these. */
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import type { HookRules } from '../hooks/create-hook.ts'
import type { Caller, Scope } from '../model/caller.ts'
import { type ErrorName, Refusal } from '../model/errors.ts'
import type { Vault } from '../vault/vault.ts'
import type { Params } from './params.ts'

/** What operations work with. */
export interface ApiParts {
  db: Database
  vault: Vault
  hookRules: HookRules
  /** For those who should know soon; nobody depends on it. */
  onHooksChanged: (accountId: number) => void
  /** Time zone of `created`. */
  timeZone: string
}

interface Call {
  caller: Caller
  params: Params
}

interface Answer {
  body: { success: true; code: null } & Record<string, unknown>
  headers?: Record<string, string>
}

export interface Operation {
  id: string
  summary: string
  description: string
  scope: Scope
  params: z.ZodObject
  answer: z.ZodObject
  /** Failures of this operation, besides those every call can meet. */
  failures: readonly ErrorName[]
  handle: (parts: ApiParts, call: Call) => Promise<Answer>
}

export function parseParams<Schema extends z.ZodObject>(schema: Schema, params: Params): z.infer<Schema> {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const name = String(issue?.path[0])
  throw name in params
    ? new Refusal('parameterInvalid', `The parameter "${name}" ${issue?.message}.`)
    : new Refusal('parameterMissing', `The parameter "${name}" is missing.`)
}
