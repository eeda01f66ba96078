/** `apply`: brings the webhooks of the account in line with a file. */
import type { Client } from '@hookline/client'
import type { Command } from 'commander'
import { connected } from '../action.ts'
import { confirm } from '../confirm.ts'
import { CliError, describeError, exitCodes } from '../errors.ts'
import { paint, printable, printJson } from '../output.ts'
import { readBounded } from '../read-bounded.ts'
import { applyPlan, hintFor } from '../webhooks-file/apply-plan.ts'
import { labelOf, nameOf, planLines, shownChanges } from '../webhooks-file/describe-plan.ts'
import { makePlan, type Plan, type Step } from '../webhooks-file/plan.ts'
import { createProblems } from '../webhooks-file/problems.ts'
import { readEntries } from '../webhooks-file/read-entries.ts'

interface ApplyOptions {
  dryRun?: boolean
  yes?: boolean
  prune?: boolean
  allowDelete?: string
  allowEnv?: string
  json?: boolean
}

export function addApply(program: Command): void {
  program
    .command('apply <file>')
    .description('create and update webhooks as a YAML file describes them, after showing the plan')
    .option('--dry-run', `only show the plan; exit code ${exitCodes.checkFailed} if there are changes`)
    .option('--yes', 'do not ask')
    .option('--prune', 'delete webhooks of the account that are not in the file')
    .option('--allow-delete <ids>', 'webhooks that --prune may delete without a question, such as 12,15')
    .option('--allow-env <names>', 'environment variables that may be sent without a question, such as TOKEN')
    .addHelpText(
      'after',
      `
The file has a list "webhooks". Each has a "name", which identifies it, or the "id" of an existing webhook, and:
  target_url, request_method, event_type or event_types, event_filter, description, headers, max_per_second,
  form_fields, accept_header, trace_header, signature_url, retry_policy
Settings that are left out have their default. \${NAME} in target_url and headers is an environment variable.

Examples:
  hookline webhooks export > webhooks.yaml
  hookline apply webhooks.yaml
  hookline apply webhooks.yaml --dry-run --json | jq .changes`,
    )
    .action(connected<ApplyOptions>(apply))
}

async function apply({ client }: { client: Client }, options: ApplyOptions, path = ''): Promise<void> {
  const problems = createProblems(path)
  const entries = readEntries(await readBounded(path), problems, process.env)
  problems.report()
  const plan = await makePlan(client, entries, problems, { prunes: options.prune === true })
  if (options.json && options.dryRun) printJson(toJson(plan))
  else for (const line of planLines(plan)) (options.json ? console.error : console.log)(line)
  if (options.dryRun) {
    if (plan.steps.length > 0) process.exitCode = exitCodes.checkFailed
    return
  }
  if (plan.steps.length > 0) await askFor(plan, options)
  const applied = await run(client, plan, options)
  if (options.json) printJson({ ...toJson(plan), applied })
}

/** Deletions and variables need their own consent without a terminal, because `--yes` can be part of a script. */
async function askFor({ steps }: Plan, options: ApplyOptions): Promise<void> {
  const isAnswered = options.yes === true
  const allowed = new Set(options.allowDelete?.split(','))
  const deletions = steps.flatMap((step) => (step.kind === 'delete' ? [step.hook.id] : []))
  const unasked = deletions.filter((id) => !allowed.has(String(id)))
  if (isAnswered && unasked.length > 0 && !process.stdin.isTTY)
    throw new CliError(`--yes does not delete webhooks: ${unasked.join(', ')}.`, {
      exitCode: exitCodes.usage,
      hint: `To delete them, add --allow-delete ${deletions.join(',')}`,
    })
  const names = [...new Set(steps.flatMap(variablesSentBy))]
  const allowedNames = new Set(options.allowEnv?.split(','))
  const unnamed = names.filter((name) => !allowedNames.has(name))
  if (isAnswered && unnamed.length > 0 && !process.stdin.isTTY)
    throw new CliError(`--yes does not send environment variables: ${unnamed.join(', ')}.`, {
      exitCode: exitCodes.usage,
      hint: `If the receivers may have them, add --allow-env ${names.join(',')}`,
    })
  if (!isAnswered || unnamed.length > 0)
    await confirm(`Apply ${steps.length === 1 ? 'this change' : `these ${steps.length} changes`}?`)
  if (unasked.length > 0)
    await confirm(
      `Delete ${unasked.length === 1 ? `webhook ${unasked[0]}` : `the ${unasked.length} webhooks ${unasked.join(', ')}`}?`,
    )
}

/** Of a new webhook, or of one whose URL or headers change. */
function variablesSentBy(step: Step): readonly string[] {
  if (step.kind === 'delete') return []
  const isSent =
    step.kind === 'create' || step.changed.some((field) => field === 'target_url' || field === 'headers')
  return isSent ? [...step.entry.variables] : []
}

async function run(client: Client, plan: Plan, { json }: ApplyOptions): Promise<number> {
  const print = json ? console.error : console.log
  let applied = 0
  let isStopped = false
  const stop = (): void => {
    if (isStopped) process.exit(exitCodes.interrupted)
    isStopped = true
    console.error('Stopping after the current change …')
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    await applyPlan(client, plan, {
      isStopped: () => isStopped,
      onApplied(step, hook) {
        applied++
        print(`${paint('green', '✓')} ${doneWords[step.kind]} ${nameOf(hook)}`)
      },
      onDifferent: (hook, fields) =>
        console.error(
          paint(
            'yellow',
            `  The service stores ${fields.join(' and ')} in another form. Take it over: hookline webhooks export ${printable(hook.id)}`,
          ),
        ),
    })
  } catch (error) {
    const next = plan.steps[applied]
    const { message, exitCode, hint } = describeError(error)
    throw new CliError(
      `${next === undefined ? '' : `${labelOf(next)}: `}${message}\n${applied} of ${plan.steps.length} changes were applied.`,
      { exitCode, hint: hintFor(error) ?? hint ?? 'Apply again to continue.' },
    )
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
  return applied
}

const doneWords: Record<Step['kind'], string> = { create: 'Created', update: 'Updated', delete: 'Deleted' }

function toJson({ steps, unchanged, others }: Plan) {
  return {
    changes: steps.map((step) => ({
      action: step.kind,
      id: step.kind === 'create' ? null : step.hook.id,
      name: step.kind === 'delete' ? step.hook.name : step.settings.name,
      fields: step.kind === 'delete' ? [] : shownChanges(step),
    })),
    unchanged,
    not_in_file: others,
  }
}
