/** API keys: which there are, when and how each was last used, and what can be done with one. */
import { Button } from '@mantine/core'
import { IconKey, IconPlus, IconZoomExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { type Key, keysQuery, stateOf } from '../../api/keys.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { listHooksCurl } from '../../words/curl.ts'
import { matches } from '../../words/matches.ts'
import { without } from '../../words/without.ts'
import { DeprecatedNotice } from './deprecated-notice.tsx'
import { KeyBar } from './key-bar.tsx'
import { keyColumns } from './key-columns.tsx'

const route = getRouteApi('/area/keys')

/** Loaded when a key is to be made. */
const CreateKey = lazy(async () => ({ default: (await import('./create-key.tsx')).CreateKey }))

export function KeysPage() {
  const { q = '', show, new: isCreating } = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(keysQuery)
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
      <DeprecatedNotice />
      {keys.data !== undefined && keys.data.length > 1 && <KeyBar keys={keys.data} />}
      <Panel isFlush>
        <DataTable
          label="API keys"
          columns={keyColumns}
          rows={keys.data?.filter(isWanted)}
          keyOf={({ id }) => id}
          error={keys.error}
          retry={() => void keys.refetch()}
          empty={hasNone ? <NoKeys action={create} /> : <NoMatch />}
        />
      </Panel>
      <Suspense>{isCreating === true && <CreateKey close={close} />}</Suspense>
    </>
  )
}

function NoKeys({ action }: { action: ReactNode }) {
  return (
    <EmptyState
      icon={<IconKey size={28} stroke={1.5} />}
      title="No key yet"
      action={action}
      steps={[
        {
          id: 'create',
          content: 'Create a key and choose what it may do. It is shown once, large, to be copied.',
        },
        {
          id: 'call',
          content: (
            <>
              <p>Send it with every call:</p>
              <CodeBlock what="command" text={listHooksCurl('<your key>')} />
            </>
          ),
        },
        { id: 'see', content: 'Come back and see here when and how it was last used.' },
      ]}
    />
  )
}

function NoMatch() {
  return (
    <EmptyState icon={<IconZoomExclamation size={28} stroke={1.5} />} title="No key fits">
      Change the filter, or show all keys with those that have ended.
    </EmptyState>
  )
}
