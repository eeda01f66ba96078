/** Applies a plan step by step, and stops at the first failure. */
import { ApiError, type Client } from '@hookline/client'
import { CliError, exitCodes } from '../errors.ts'
import { printable } from '../output.ts'
import { nameOf } from './describe-plan.ts'
import type { Plan, Step, Update } from './plan.ts'
import { bodyOf, changedFields, settingsOf, type Settings, type Webhook } from './settings.ts'

interface Progress {
  onApplied: (step: Step, hook: Webhook) => void
  /** The service stores other values than those of the file, so the next run would change them again. */
  onDifferent: (hook: Webhook, fields: readonly string[]) => void
  /** Whether to stop before the next step. */
  isStopped: () => boolean
}

export async function applyPlan(client: Client, { steps }: Plan, progress: Progress): Promise<void> {
  for (const step of steps) {
    if (progress.isStopped()) throw new CliError('Stopped.', { exitCode: exitCodes.interrupted })
    const hook = await applyStep(client, step)
    progress.onApplied(step, hook)
    if (step.kind === 'delete') continue
    const different = changedFields(hook, step.settings)
    if (different.length > 0) progress.onDifferent(hook, different)
  }
}

async function applyStep(client: Client, step: Step): Promise<Webhook> {
  if (step.kind === 'create') return create(client, step.settings)
  await rejectIfChanged(client, step.hook)
  if (step.kind === 'update') return update(client, step)
  await client.delete('/api/hooks', { query: { id: step.hook.id } })
  return step.hook
}

async function create(client: Client, settings: Settings): Promise<Webhook> {
  const { hook } = await client.post('/api/hooks/create', {
    body: { ...bodyOf(settings), target_url: settings.target_url },
  })
  return hook
}

async function update(client: Client, { hook, settings, changed }: Update): Promise<Webhook> {
  const path = { id: hook.id }
  const edited = await client.post('/api/hooks/{id}', { path, body: bodyOf(settings, changed) })
  // Between the check and the edit, somebody could have saved other values.
  const { versions } = await client.get('/api/hooks/{id}/versions', { path })
  const previous = versions[1]
  if (previous !== undefined && Date.parse(previous.at) > Date.parse(hook.changed_at))
    throw conflict(
      hook,
      `${printable(previous.actor_name ?? previous.actor)} changed it at the same moment. Compare both in its history.`,
    )
  return edited.hook
}

/** An edit that was made after the plan must not be overwritten. */
async function rejectIfChanged(client: Client, planned: Webhook): Promise<void> {
  const { hook } = await client.get('/api/hooks/{id}', { path: { id: planned.id } })
  const isSame =
    hook.changed_at === planned.changed_at &&
    JSON.stringify(settingsOf(hook)) === JSON.stringify(settingsOf(planned))
  if (!isSame)
    throw conflict(planned, 'It was changed after the plan was made. Apply again to see a new plan.')
}

function conflict(hook: Webhook, message: string): CliError {
  return new CliError(`Conflict at webhook ${nameOf(hook)}: ${message}`, { exitCode: exitCodes.rejected })
}

/** How to resolve an error of a step. */
export function hintFor(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const [id] = error.details.ids ?? []
  return id === undefined ? undefined : `To change webhook ${id} instead, add "id: ${id}" to the entry.`
}
