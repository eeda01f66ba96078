/** Webhooks that did not get the event, each with the reason and what its filter saw. */
import type { ToldHook } from '../../api/shapes.ts'
import { TextLink } from '../../parts/links.tsx'
import { Mono } from '../../parts/mono.tsx'
import { Panel } from '../../parts/panel.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { counted } from '../../words/count.ts'
import styles from './event.module.css'

const verdicts: Record<string, string> = {
  not_matched: 'Not matched',
  created_later: 'Created later',
  deleted_before: 'Deleted before',
  held: 'Held',
}

export function NotWanted({ hooks }: { hooks: readonly ToldHook[] }) {
  return (
    <Panel
      title="Not sent to"
      about={`${counted(hooks.length, 'webhook')} did not get it, judged as they were set then.`}
    >
      <ul className={styles.unwanted}>
        {hooks.map(({ hook_id: id, target_url: url, verdict, why, event_filter: filter }) => (
          <li key={id}>
            <div className={styles.unwantedName}>
              <TextLink to="/webhooks/$id" params={{ id: String(id) }}>
                Webhook {id}
              </TextLink>
              <Mono text={url} />
              <StateBadge tone="quiet" word={verdicts[verdict] ?? verdict} />
            </div>
            <p>{why.sentence}</p>
            <Saw filter={filter} clause={why.clause ?? null} saw={why.saw ?? null} kind={why.kind} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

interface SawProps {
  kind: string
  filter: string | null
  clause: string | null
  saw: string | null
}

function Saw({ kind, filter, clause, saw }: SawProps) {
  if (kind === 'type' || (clause === null && saw === null)) return null
  return (
    <dl className={styles.saw}>
      {filter !== null && (
        <div>
          <dt>Filter</dt>
          <dd>
            <code>{filter}</code>
          </dd>
        </div>
      )}
      {clause !== null && (
        <div>
          <dt>Failed at</dt>
          <dd>
            <code>{clause}</code>
          </dd>
        </div>
      )}
      {saw !== null && (
        <div>
          <dt>It saw</dt>
          <dd>
            <code>
              <bdi>{saw}</bdi>
            </code>
          </dd>
        </div>
      )}
    </dl>
  )
}
