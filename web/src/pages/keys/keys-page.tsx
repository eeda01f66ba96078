/** API keys: which there are, when and how each was last used, and what can be done with one. */
import { Button } from '@mantine/core'
import { IconPlus, IconZoomExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { deprecatedUsesQuery, type Key, keysQuery, stateOf } from '../../api/keys.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { lazyOrNothing } from '../../parts/lazy-or-nothing.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { matches } from '../../words/matches.ts'
import { without } from '../../words/without.ts'
import { keyColumns } from './key-columns.tsx'

const route = getRouteApi('/area/keys')

// Most accounts need none of these, or not at once.
const DeprecatedNotice = lazyOrNothing(async () => (await import('./deprecated-notice.tsx')).DeprecatedNotice)
const NoKeys = lazyOrNothing(async () => (await import('./no-keys.tsx')).NoKeys)
const KeyBar = lazyOrNothing(async () => (await import('./key-bar.tsx')).KeyBar)

const CreateKey = lazy(async () => ({ default: (await import('./create-key.tsx')).CreateKey }))

export function KeysPage() {
  const { q = '', show, new: isCreating } = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(keysQuery)
  const uses = useQuery(deprecatedUsesQuery).data ?? []
  const hasNone = keys.data?.length === 0
  const open = () => void navigate({ search: (now) => ({ ...now, new: true }) })
  const close = () => void navigate({ search: (now) => without(now, 'new'), replace: true })

  const isWanted = (key: Key) =>
    matches(q, key.name, key.prefix) && (show === 'all' || q !== '' || stateOf(key) === 'active')
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New key
    </Button>
  )
  return (
    <>
      <PageHeader
        title="API keys"
        about="A key lets a program act for your account. Give every program its own, so that you can end one without the others."
        {...(!hasNone && { actions: create })}
      />
      <Suspense>{uses.length > 0 && <DeprecatedNotice uses={uses} />}</Suspense>
      <Suspense>{keys.data !== undefined && keys.data.length > 1 && <KeyBar keys={keys.data} />}</Suspense>
      <Panel isFlush>
        <DataTable
          label="API keys"
          columns={keyColumns}
          rows={keys.data?.filter(isWanted)}
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
    <EmptyState icon={<IconZoomExclamation size={28} stroke={1.5} />} title="No key fits">
      Change the filter, or show all keys with those that have ended.
    </EmptyState>
  )
}
