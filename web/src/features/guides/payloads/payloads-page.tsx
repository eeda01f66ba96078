/** Lists the event types of the installation. */
import { useQuery } from '@tanstack/react-query'
import { eventTypesQuery } from '../../../api/client.ts'
import { deliverableTypes, eventTypeText } from '../../../messages/event-types.ts'
import { TextLink } from '../../../ui/layout/links.tsx'
import { type Column, DataTable } from '../../../ui/data/data-table.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { GuideTabs } from '../guide-tabs.tsx'

const columns: readonly Column<string>[] = [
  {
    title: 'Event type',
    kind: 'main',
    cell: (type) => (
      <TextLink to="/guides/payloads/$type" params={{ type }}>
        <bdi>{eventTypeText(type).name}</bdi>
      </TextLink>
    ),
  },
  { title: 'Name', cell: (type) => <code>{type}</code> },
]

export function PayloadsPage() {
  const types = useQuery(eventTypesQuery)
  return (
    <>
      <PageHeader title="Payloads" description="The data of each event type, as your server receives it" />
      <GuideTabs current="payloads" />
      <Panel isFlush>
        <DataTable
          label="Event types"
          columns={columns}
          rows={types.data && deliverableTypes(types.data)}
          keyOf={(type) => type}
          error={types.error}
          retry={() => void types.refetch()}
          empty={null}
        />
      </Panel>
    </>
  )
}
