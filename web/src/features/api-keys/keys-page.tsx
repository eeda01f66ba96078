/** List of API keys with their last use and actions. */
import { Button } from '@mantine/core'
import { IconPlus, IconZoomExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { deprecatedUsesQuery, type Key, keysQuery, stateOf } from '../../api/api-keys.ts'
import { DataTable } from '../../ui/data/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { lazyOptional } from '../../lib/lazy-optional.ts'
import { lazyPart } from '../../lib/load-chunk.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { matches } from '../../lib/text-match.ts'
import { omit } from '../../lib/omit.ts'
import { keyColumns } from './key-columns.tsx'

const route = getRouteApi('/app/keys')

// Loaded on demand, because most accounts do not need them at first.
const DeprecatedNotice = lazyOptional(async () => (await import('./deprecated-notice.tsx')).DeprecatedNotice)
const NoKeys = lazyOptional(async () => (await import('./no-keys.tsx')).NoKeys)
const KeyBar = lazyOptional(async () => (await import('./key-bar.tsx')).KeyBar)

const CreateKey = lazyPart(async () => (await import('./create-key.tsx')).CreateKey)

export function KeysPage() {
  const { q = '', show, new: isCreating } = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(keysQuery)
  const uses = useQuery(deprecatedUsesQuery).data ?? []
  const hasNone = keys.data?.length === 0
  const open = () => void navigate({ search: (now) => ({ ...now, new: true }) })
  const close = () => void navigate({ search: (now) => omit(now, 'new'), replace: true })

  const isVisible = (key: Key) =>
    matches(q, key.name, key.prefix) && (show === 'all' || q !== '' || stateOf(key) === 'active')
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      Create key
    </Button>
  )
  return (
    <>
      <PageHeader
        title="API keys"
        description="API keys authenticate programs. Use one key per program, so that you can revoke keys separately."
        {...(!hasNone && { actions: create })}
      />
      <Suspense>{uses.length > 0 && <DeprecatedNotice uses={uses} />}</Suspense>
      <Suspense>{keys.data !== undefined && keys.data.length > 1 && <KeyBar keys={keys.data} />}</Suspense>
      <Panel isFlush>
        <DataTable
          label="API keys"
          columns={keyColumns}
          rows={keys.data?.filter(isVisible)}
          keyOf={({ id }) => id}
          error={keys.error}
          retry={() => void keys.refetch()}
          empty={<Suspense>{hasNone ? <NoKeys action={create} /> : <NoMatch />}</Suspense>}
        />
      </Panel>
      <Suspense>{isCreating === true && <CreateKey close={close} />}</Suspense>
    </>
  )
}

function NoMatch() {
  return (
    <EmptyState icon={<IconZoomExclamation size={28} stroke={1.5} />} title="No matching keys">
      Change the filter, or include expired and revoked keys.
    </EmptyState>
  )
}
