/** The payload of one event type: its fields, samples, and the requests that a webhook receives. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { eventTypesQuery } from '../../../api/client.ts'
import { eventSchemasQuery } from '../../../api/payloads.ts'
import { eventTypeText } from '../../../messages/event-types.ts'
import { CodeBlock } from '../../../ui/data/code-block.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { TextLink } from '../../../ui/layout/links.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { Tabs } from '../../../ui/layout/tabs.tsx'
import { useAccess } from '../../auth/use-access.ts'
import { GuideTabs } from '../guide-tabs.tsx'
import styles from '../guides.module.css'
import { FieldTable } from './field-table.tsx'
import { SampleRequests } from './sample-requests.tsx'
import { readVariants, type Variant } from './schema-fields.ts'

export function PayloadPage() {
  const { type } = useParams({ from: '/app/guides/payloads/$type' })
  const schemas = useQuery(eventSchemasQuery)
  const { hasRole } = useAccess()
  const eventType = useQuery(eventTypesQuery).data?.find(({ name }) => name === type)
  // A part of a type, such as `rcs_mo`, has the schema of the type.
  const schema = schemas.data?.[eventType?.type ?? type]
  return (
    <>
      <PageHeader
        title={eventTypeText(type).name}
        description={
          <>
            Events of type <code>{type}</code>. {eventType?.description}{' '}
            <TextLink to="/guides/payloads">All event types</TextLink>
          </>
        }
      />
      <GuideTabs current="payloads" />
      {schemas.isPending && <Skeleton height={320} />}
      {schemas.isError && <ErrorState error={schemas.error} retry={() => void schemas.refetch()} />}
      {schemas.isSuccess && schema === undefined && (
        <Notice tone="warning" title={`There is no event type “${type}”.`}>
          The name is wrong or the operator removed the type.
        </Notice>
      )}
      {schema !== undefined && (
        <>
          {eventType?.time_sensitive === true && (
            <Notice tone="info" title="Time-sensitive: events expire 30 seconds after acceptance">
              <TextLink to="/guides/$guide" params={{ guide: 'retries' }} hash="schedule">
                Retry schedule
              </TextLink>
            </Notice>
          )}
          <Fields variants={readVariants(schema.data)} samples={schema.samples} />
          {hasRole('developer') && <SampleRequests key={type} type={type} />}
        </>
      )}
    </>
  )
}

interface FieldsProps {
  variants: readonly Variant[]
  samples: readonly Record<string, unknown>[]
}

function Fields({ variants, samples }: FieldsProps) {
  const tabs = variants.map((variant) => {
    const sample = samples.find((candidate) => variant.matches(candidate))
    const content = (
      <div className={styles.stack}>
        <FieldTable fields={variant.fields} />
        {variant.isOpen && <p className={styles.muted}>Further fields can follow.</p>}
        {sample !== undefined && <CodeBlock label="sample" text={JSON.stringify(sample, null, 2)} />}
      </div>
    )
    return { title: variant.title, content }
  })
  return (
    <Panel
      title="Fields of data"
      {...(tabs.length > 1 && { description: 'Events of this type have one of these forms.' })}
    >
      {tabs.length > 1 ? <Tabs label="Forms of data" tabs={tabs} /> : tabs[0]?.content}
    </Panel>
  )
}
