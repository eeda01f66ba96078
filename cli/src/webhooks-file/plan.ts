/** Compares the webhooks of a file with those of the account. Changes nothing. */
import { ApiError, type Client } from '@hookline/client'
import { hostOf } from '../shown-url.ts'
import type { Problems } from './problems.ts'
import type { Entry } from './read-entries.ts'
import {
  bodyOf,
  changedFields,
  type Field,
  type Header,
  type Settings,
  settingsOf,
  type Webhook,
} from './settings.ts'

interface Creation {
  kind: 'create'
  entry: Entry
  settings: Settings
}

export interface Update {
  kind: 'update'
  entry: Entry
  settings: Settings
  /** As it was when the plan was made. */
  hook: Webhook
  changed: readonly Field[]
}

interface Deletion {
  kind: 'delete'
  hook: Webhook
}

export type Step = Creation | Update | Deletion

export interface Plan {
  /** In the order in which they are applied. */
  steps: readonly Step[]
  unchanged: number
  /** Webhooks of the account that the file does not have. */
  others: number
}

export async function makePlan(
  client: Client,
  entries: readonly Entry[],
  problems: Problems,
  { prunes }: { prunes: boolean },
): Promise<Plan> {
  const hooks = (await client.get('/api/hooks/health')).hooks.map(({ hook }) => hook)
  rejectDuplicates(entries, problems)
  const pairs = entries.map((entry) => ({ entry, hook: findHook(entry, hooks, problems) }))
  rejectSameTarget(pairs, problems)
  problems.report()
  const changes = pairs.map(({ entry, hook }) => compare(entry, hook, problems))
  problems.report()
  for (const change of changes) if (change !== undefined) await validate(client, change, problems)
  problems.report()
  const used = new Set(pairs.map(({ hook }) => hook?.id))
  const others = hooks.filter(({ id }) => !used.has(id))
  const found = changes.filter((change) => change !== undefined)
  return {
    steps: [
      ...found.filter(({ kind }) => kind === 'update'),
      ...found.filter(({ kind }) => kind === 'create'),
      ...(prunes ? others.map((hook) => ({ kind: 'delete', hook }) as const) : []),
    ],
    unchanged: changes.length - found.length,
    others: others.length,
  }
}

function rejectDuplicates(entries: readonly Entry[], problems: Problems): void {
  const lines = new Map<string, number>()
  for (const { at, id, settings } of entries) {
    const identity = id === undefined ? `name "${settings.name ?? ''}"` : `id ${id}`
    const line = lines.get(identity)
    if (line !== undefined && (id !== undefined || settings.name !== null))
      problems.add(at, `The webhook in line ${line} has the same ${identity}.`)
    lines.set(identity, line ?? at.line)
  }
}

function findHook({ id, at, settings, positionOf }: Entry, hooks: readonly Webhook[], problems: Problems) {
  if (id !== undefined) {
    const hook = hooks.find((candidate) => candidate.id === id)
    if (hook === undefined)
      problems.add(positionOf('id'), `Webhook ${id} not found. To create a webhook, leave out "id".`)
    return hook
  }
  const found = hooks.filter(({ name }) => name !== null && name === settings.name)
  if (found.length > 1)
    problems.add(
      at,
      `Webhooks ${found.map((hook) => hook.id).join(' and ')} have this name. Add "id" to choose one.`,
    )
  return found[0]
}

function rejectSameTarget(
  pairs: readonly { entry: Entry; hook: Webhook | undefined }[],
  problems: Problems,
): void {
  const lines = new Map<number, number>()
  for (const { entry, hook } of pairs) {
    if (hook === undefined) continue
    const line = lines.get(hook.id)
    if (line !== undefined && line !== entry.at.line)
      problems.add(entry.at, `The webhook in line ${line} is webhook ${hook.id} too.`)
    lines.set(hook.id, entry.at.line)
  }
}

function compare(entry: Entry, hook: Webhook | undefined, problems: Problems): Creation | Update | undefined {
  const settings = { ...entry.settings, headers: resolveHeaders(entry, hook, problems) }
  if (hook === undefined) return { kind: 'create', entry, settings }
  const changed = changedFields(hook, settings)
  return changed.length === 0 ? undefined : { kind: 'update', entry, settings, hook, changed }
}

/** A header without a value keeps the one it has, but only for the same host: values are often secrets of the receiver. */
function resolveHeaders(
  { headers, settings }: Entry,
  hook: Webhook | undefined,
  problems: Problems,
): Header[] {
  const isMoved = hook !== undefined && hostOf(hook.target_url) !== hostOf(settings.target_url)
  const current = hook === undefined ? [] : settingsOf(hook).headers
  return headers.map(({ at, name, value }) => {
    const kept = current.find((header) => header.name.toLowerCase() === name.toLowerCase())?.value
    if (value === undefined && kept === undefined)
      problems.add(
        at,
        `The header "${name}" needs a value. Only one that the webhook already has can be kept.`,
      )
    if (value === undefined && kept !== undefined && isMoved)
      problems.add(at, `The URL has another host. Write the value of "${name}" that this host may get.`)
    return { name, value: value ?? kept ?? '' }
  })
}

const fieldsOfProblems: Readonly<Record<string, Field>> = { event_type: 'event_types' }

/** The service validates all values before any is changed. */
async function validate(client: Client, change: Creation | Update, problems: Problems): Promise<void> {
  const { entry, settings } = change
  const body = {
    ...bodyOf(settings),
    target_url: settings.target_url,
    ...(change.kind === 'update' && { hook_id: change.hook.id }),
  }
  try {
    const preview = await client.post('/api/hooks/preview', { body })
    for (const { field, message } of preview.problems) problems.add(entry.positionOf(field), message)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    const field = error.field ?? ''
    problems.add(entry.positionOf(fieldsOfProblems[field] ?? field), error.message)
  }
}
