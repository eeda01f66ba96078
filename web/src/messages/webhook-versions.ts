/** Describes versions of a webhook and their settings. */
import type { FieldChange, HookVersion } from '../api/types.ts'
import { formatMinute } from '../lib/format-clock.ts'
import { plural } from '../lib/format-number.ts'
import { textFor } from '../lib/text-for.ts'
import { eventTypeText } from './event-types.ts'

/** Predicate of a sentence that starts with the actor. */
export function describeVersion({
  change,
  changes,
  restored,
}: Pick<HookVersion, 'change' | 'changes' | 'restored'>): string {
  if (restored !== null)
    return restored.at === null
      ? 'restored an earlier version'
      : `restored the version of ${formatMinute(new Date(restored.at))}`
  const texts: Record<HookVersion['change'], string> = {
    created: 'created the webhook',
    changed: changes.length === 0 ? 'saved the webhook without changes' : 'edited the webhook',
    enabled: 'enabled the webhook',
    disabled: 'disabled the webhook',
    deleted: 'deleted the webhook',
  }
  return textFor(texts, change, 'changed the webhook')
}

export function formatFieldValue(field: FieldChange['field'], value: FieldChange['from']): string {
  if (field === 'headers' && value === null) return 'Cannot be decrypted'
  if (value === null || value === '') return 'None'
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (typeof value === 'number') return `${plural(value, 'delivery', 'deliveries')} per second`
  return field === 'event_type' || field === 'event_types' ? typeNames(value).join(', ') : value
}

/** Types that were added and removed: “+ Inbound call”. */
export function describeTypeChange({ from, to }: FieldChange): { removed: string; added: string } {
  const [old, current] = [typeNames(String(from)), typeNames(String(to))]
  return {
    removed: listed(
      old.filter((name) => !current.includes(name)),
      '−',
    ),
    added: listed(
      current.filter((name) => !old.includes(name)),
      '+',
    ),
  }
}

function listed(names: readonly string[], sign: string): string {
  return names.map((name) => `${sign} ${name}`).join(', ')
}

function typeNames(types: string): string[] {
  return types.split(', ').map((type) => eventTypeText(type).name)
}

/** True if the names of the headers are the same, so that only their values differ. */
export function isHeaderValueChange({ field, from, to }: FieldChange): boolean {
  return field === 'headers' && from !== null && from === to
}
