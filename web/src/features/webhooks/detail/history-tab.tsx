/** Versions of a webhook: who changed what, and a way back to each of them. The URL holds the page. */
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { HookVersion } from '../../../api/types.ts'
import { webhookVersionsQuery } from '../../../api/webhooks.ts'
import { omit } from '../../../lib/omit.ts'
import { formatActorName } from '../../../messages/actor.ts'
import { describeVersion } from '../../../messages/webhook-versions.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { ButtonLink } from '../../../ui/layout/links.tsx'
import { PagesNav } from '../../../ui/layout/pages-nav.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import { useAccess } from '../../auth/use-access.ts'
import { FieldChanges, FirstSettings } from './field-changes.tsx'
import { RestoreVersion } from './restore-version.tsx'
import styles from './history.module.css'

const route = getRouteApi('/app/webhooks/$id')

export function HistoryTab({ hookId }: { hookId: number }) {
  const search = route.useSearch()
  const versions = useQuery(webhookVersionsQuery(hookId, search.before))
  const [restoring, setRestoring] = useState<HookVersion | null>(null)
  const params = { id: String(hookId) }
  const next = versions.data?.next ?? null
  const isNewestPage = search.before === undefined
  return (
    <Panel title="History" description="Changes of this webhook. Header values are never shown." isFlush>
      {versions.data === undefined && versions.isPending && <Skeleton height={240} m="lg" width="auto" />}
      {versions.data === undefined && versions.isError && (
        <ErrorState error={versions.error} retry={() => void versions.refetch()} />
      )}
      <ol className={styles.versions} data-stale={versions.isPlaceholderData}>
        {versions.data?.versions.map((version, index) => (
          <Version
            key={version.version}
            version={version}
            isCurrent={isNewestPage && index === 0}
            restore={() => setRestoring(version)}
          />
        ))}
      </ol>
      {(next !== null || !isNewestPage) && (
        <div className={styles.pages}>
          <PagesNav
            label="History pages"
            newest={
              !isNewestPage && (
                <ButtonLink
                  to="/webhooks/$id"
                  params={params}
                  search={omit(search, 'before')}
                  variant="default"
                  size="xs"
                >
                  Newest
                </ButtonLink>
              )
            }
            older={
              next !== null && (
                <ButtonLink
                  to="/webhooks/$id"
                  params={params}
                  search={{ ...search, before: next }}
                  variant="default"
                  size="xs"
                >
                  Older
                </ButtonLink>
              )
            }
          />
        </div>
      )}
      {restoring !== null && (
        <RestoreVersion hookId={hookId} version={restoring} close={() => setRestoring(null)} />
      )}
    </Panel>
  )
}

interface VersionProps {
  version: HookVersion
  isCurrent: boolean
  restore: () => void
}

function Version({ version, isCurrent, restore }: VersionProps) {
  const { actor, actor_name: name, changes } = version
  const { hasRole } = useAccess()
  return (
    <li className={styles.version}>
      <div className={styles.text}>
        <p>
          <strong>
            <bdi>{formatActorName(actor, name)}</bdi>
          </strong>{' '}
          {describeVersion(version)} {isCurrent && <Tag>current</Tag>}
        </p>
        {version.change === 'created' ? (
          <Disclosure summary="Settings">
            <FirstSettings changes={changes} />
          </Disclosure>
        ) : (
          <FieldChanges changes={changes} />
        )}
        {version.may_skip_versions && (
          <p className={styles.note}>
            Includes earlier changes: versions without deliveries are deleted after 100 newer ones.
          </p>
        )}
      </div>
      <div className={styles.side}>
        <RelativeTime at={version.at} />
        {!isCurrent && hasRole('developer') && (
          <Button variant="default" size="xs" onClick={restore}>
            Restore this version
          </Button>
        )}
      </div>
    </li>
  )
}
