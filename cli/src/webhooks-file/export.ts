/** Writes webhooks as a file that `apply` reads, without settings that have their default. */
import { Document, Scalar, visit, YAMLMap } from 'yaml'
import { escapeInvisible, invisible } from '../output.ts'
import { escape } from './expand.ts'
import { defaults, type Field, fields, type Settings, settingsOf, type Webhook } from './settings.ts'

const introduction = ` Webhooks for: hookline apply
 A header without a value keeps the value that the webhook has.`

export function exportWebhooks(
  hooks: readonly Webhook[],
  { showsHeaders }: { showsHeaders: boolean },
): string {
  const names = hooks.map(({ name }) => name)
  const document = new Document({ webhooks: [] as unknown[] })
  document.commentBefore = introduction
  for (const hook of hooks) {
    const isIdentified = hook.name !== null && names.filter((name) => name === hook.name).length === 1
    document.addIn(['webhooks'], entryOf(hook, { hasId: !isIdentified, showsHeaders }, document))
  }
  quoteInvisible(document)
  return escapeInvisible(document.toString({ lineWidth: 0 }))
}

function entryOf(
  hook: Webhook,
  { hasId, showsHeaders }: { hasId: boolean; showsHeaders: boolean },
  document: Document,
): YAMLMap {
  const settings = settingsOf(hook)
  const entry = new YAMLMap()
  if (hasId) entry.set('id', hook.id)
  for (const field of fields) {
    if (JSON.stringify(settings[field]) === JSON.stringify((defaults as Partial<Settings>)[field])) continue
    const [key, value] = valueOf(field, settings, showsHeaders)
    entry.set(key, document.createNode(value))
  }
  return entry
}

function valueOf(field: Field, settings: Settings, showsHeaders: boolean): [string, unknown] {
  if (field === 'target_url') return [field, escape(settings.target_url)]
  if (field === 'event_types' && settings.event_types.length === 1)
    return ['event_type', settings.event_types[0]]
  if (field === 'headers')
    return [
      field,
      new Map(settings.headers.map(({ name, value }) => [name, showsHeaders ? escape(value) : null])),
    ]
  return [field, settings[field]]
}

/** Quoted texts can have escapes for characters that are not visible, and that a terminal could take for commands. */
function quoteInvisible(document: Document): void {
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && invisible.test(node.value)) node.type = Scalar.QUOTE_DOUBLE
    },
  })
}
