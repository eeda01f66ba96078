/** Shows a plan. Values of headers and secrets in URLs are never shown. */
import { paint, printable } from '../output.ts'
import { hostOf, maskUrl } from '../shown-url.ts'
import type { Plan, Step, Update } from './plan.ts'
import {
  defaults,
  type Field,
  fields,
  type Header,
  type Settings,
  settingsOf,
  type Webhook,
} from './settings.ts'

export interface ShownChange {
  field: Field
  from: string | null
  to: string | null
}

export function nameOf({ name, endpoint, id }: Pick<Webhook, 'name' | 'endpoint' | 'id'>): string {
  return printable(`${name ?? endpoint} (${id})`)
}

export function labelOf(step: Step): string {
  return step.kind === 'create'
    ? printable(step.settings.name ?? hostOf(step.settings.target_url))
    : nameOf(step.hook)
}

export function planLines({ steps, unchanged, others }: Plan): string[] {
  const count = (kind: Step['kind']): number => steps.filter((step) => step.kind === kind).length
  const deletions = count('delete')
  return [
    ...steps.flatMap(stepLines),
    `${count('create')} to create, ${count('update')} to update, ${deletions} to delete, ${unchanged} unchanged.`,
    ...(others > deletions
      ? [
          paint(
            'dim',
            `${others === 1 ? '1 webhook of the account is' : `${others} webhooks of the account are`} not in the file and will be kept. See --prune.`,
          ),
        ]
      : []),
  ]
}

function stepLines(step: Step): string[] {
  const title = paint('bold', labelOf(step))
  if (step.kind === 'delete') {
    const { target_url: url, enabled } = step.hook
    return [
      `${paint('red', '- delete')} ${title}: ${printable(maskUrl(url))}${enabled ? '' : ', disabled'}`,
      '',
    ]
  }
  const sign = step.kind === 'create' ? paint('green', '+ create') : paint('yellow', '~ update')
  const { variables } = step.entry
  const host = hostOf(step.settings.target_url)
  return [
    `${sign} ${title}`,
    ...shownChanges(step).map(
      ({ field, from, to }) =>
        `    ${field}: ${step.kind === 'create' ? '' : `${paint('red', from ?? 'none')} → `}${paint('green', to ?? 'none')}`,
    ),
    ...(variables.size > 0
      ? [paint('dim', `    values of ${[...variables].join(', ')} are sent to ${printable(host)}`)]
      : []),
    '',
  ]
}

/** Old and new values as text. Of a new webhook, the settings that differ from the defaults. */
export function shownChanges(step: Exclude<Step, { kind: 'delete' }>): ShownChange[] {
  if (step.kind === 'create') {
    const { settings } = step
    const set = fields.filter(
      (field) => JSON.stringify(settings[field]) !== JSON.stringify((defaults as Partial<Settings>)[field]),
    )
    return set.map((field) => ({
      field,
      from: null,
      to: shownValue(field, settings, step.entry.urlTemplate),
    }))
  }
  return step.changed.map((field) => showChange(step, field))
}

function showChange({ hook, settings, entry }: Update, field: Field): ShownChange {
  const current = settingsOf(hook)
  if (field === 'headers') return { field, ...showHeaders(current.headers, settings.headers) }
  const [from, to] = [
    field === 'target_url' && entry.urlTemplate !== undefined
      ? `${hostOf(current.target_url)}/…`
      : shownValue(field, current),
    shownValue(field, settings, entry.urlTemplate),
  ]
  if (from === to) return { field, from, to: `${to ?? 'none'} (a hidden part is different)` }
  const same = commonStart(from ?? '', to ?? '')
  return { field, from: from && excerpt(from, same), to: to && excerpt(to, same) }
}

function shownValue(field: Field, settings: Settings, urlTemplate?: string): string | null {
  if (field === 'target_url') return printable(maskUrl(urlTemplate ?? settings.target_url))
  if (field === 'headers')
    return settings.headers.length === 0
      ? null
      : printable(settings.headers.map(({ name }) => name).join(', '))
  const value = settings[field]
  if (value === null) return null
  return printable(Array.isArray(value) ? value.join(', ') : String(value).replaceAll('\n', '⏎'))
}

/** Which headers are added, changed and removed, without values. */
function showHeaders(current: readonly Header[], wanted: readonly Header[]): Omit<ShownChange, 'field'> {
  const names = new Set([...current, ...wanted].map(({ name }) => name))
  const describe = (name: string): string => {
    const [from, to] = [valueIn(current, name), valueIn(wanted, name)]
    const suffix =
      from === to ? '' : to === undefined ? ' (removed)' : from === undefined ? ' (added)' : ' (new value)'
    return `${printable(name)}${suffix}`
  }
  const before = current.map(({ name }) => printable(name)).join(', ')
  return { from: before || null, to: [...names].map(describe).join(', ') }
}

const maxShown = 160
const shownBefore = 30

function commonStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

function valueIn(headers: readonly Header[], name: string): string | undefined {
  return headers.find((header) => header.name === name)?.value
}

/** The part of a long text that begins shortly before the first difference. */
function excerpt(text: string, same: number): string {
  if (text.length <= maxShown) return text
  const from = Math.max(0, Math.min(same - shownBefore, text.length - maxShown))
  return `${from > 0 ? '…' : ''}${text.slice(from, from + maxShown)}${from + maxShown < text.length ? '…' : ''}`
}
