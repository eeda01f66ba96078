/** What the webhook is set to. */
import type { HookStory } from '../../api/shapes.ts'
import { ButtonLink } from '../../parts/links.tsx'
import { Mono } from '../../parts/mono.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { counted } from '../../words/count.ts'
import { typeWords } from '../../words/event-types.ts'
import { parseHeaders } from '../../words/headers.ts'
import styles from './webhook.module.css'

const methodWords = { JSON: 'JSON by POST', POST: 'a form by POST', GET: 'a query by GET' }

export function HookSettings({ story: { hook } }: { story: HookStory }) {
  const headers = parseHeaders(hook.headers)
  const { name } = typeWords(hook.event_type)
  return (
    <Panel
      title="Settings"
      actions={
        <ButtonLink variant="default" to="/webhooks/$id/edit" params={{ id: String(hook.id) }}>
          Edit
        </ButtonLink>
      }
    >
      <dl className={styles.facts}>
        <dt>Event</dt>
        <dd>
          {name} <code className={styles.code}>{hook.event_type}</code>
        </dd>
        <dt>Filter</dt>
        <dd>
          {hook.event_filter === null ? 'None: it gets all of them' : <Mono text={hook.event_filter} />}
        </dd>
        <dt>Sent as</dt>
        <dd>{methodWords[hook.request_method]}</dd>
        <dt>Headers</dt>
        <dd>
          {headers.length === 0
            ? 'None of yours'
            : headers.map(({ name: header }) => (
                <code key={header} className={styles.code}>
                  {header}
                </code>
              ))}
        </dd>
        <dt>Pace</dt>
        <dd>
          {hook.most_per_second === null
            ? 'As events come'
            : `At most ${counted(hook.most_per_second, 'delivery', 'deliveries')} a second`}
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={hook.created_at} />
        </dd>
        <dt>Changed</dt>
        <dd>
          <Time at={hook.changed_at} />
        </dd>
      </dl>
    </Panel>
  )
}
