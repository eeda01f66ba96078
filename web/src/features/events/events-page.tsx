/** Events with their deliveries: search and replay, or live as they happen. The URL holds search and mode. */
import { Button, Switch } from '@mantine/core'
import { IconDownload, IconRepeat } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { withoutTime } from '../../api/events.ts'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { lazyOptional } from '../../lib/lazy-optional.ts'
import { omit } from '../../lib/omit.ts'
import { useAccess } from '../auth/use-access.ts'
import { EventFilters } from './event-filters.tsx'
import { EventList } from './event-list.tsx'
import { LiveList } from './live/live-list.tsx'
import styles from './events.module.css'

const route = getRouteApi('/app/events')

const ExportDialog = lazyOptional(async () => (await import('./export/export-dialog.tsx')).ExportDialog)

export function EventsPage() {
  const { live: isLive = false, ...search } = route.useSearch()
  const navigate = route.useNavigate()
  const { canExport } = useAccess()
  const [isExporting, setExporting] = useState(false)
  return (
    <>
      <PageHeader
        title="Events"
        description="All events of your account and their deliveries"
        actions={
          <>
            <Switch
              className={styles.live ?? ''}
              label="Live"
              checked={isLive}
              onChange={(event) => {
                const isOn = event.currentTarget.checked
                void navigate({
                  search: (now) => (isOn ? { ...withoutTime(now), live: true } : omit(now, 'live')),
                  replace: true,
                })
              }}
            />
            {canExport && (
              <Button
                variant="default"
                leftSection={<IconDownload size={16} />}
                onClick={() => setExporting(true)}
              >
                Export…
              </Button>
            )}
            <ButtonLink variant="default" to="/replays" leftSection={<IconRepeat size={16} />}>
              View replays
            </ButtonLink>
          </>
        }
      />
      <EventFilters />
      {/* The live list of another search is another list. */}
      {isLive ? <LiveList key={JSON.stringify(search)} search={search} /> : <EventList search={search} />}
      {isExporting && (
        <Suspense>
          <ExportDialog search={search} close={() => setExporting(false)} />
        </Suspense>
      )}
    </>
  )
}
