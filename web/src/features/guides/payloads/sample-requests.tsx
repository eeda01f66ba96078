/** The request for a sample event in each format. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sampleRequestsQuery } from '../../../api/payloads.ts'
import type { Preview } from '../../../api/types.ts'
import { indentJson } from '../../../lib/indent-json.ts'
import { CodeBlock } from '../../../ui/data/code-block.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { TextLink } from '../../../ui/layout/links.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { Tabs } from '../../../ui/layout/tabs.tsx'
import styles from '../guides.module.css'

type SampleRequest = NonNullable<Preview['requests']>['JSON']

export function SampleRequests({ type }: { type: string }) {
  const nested = useQuery(sampleRequestsQuery(type, 'nested'))
  const flat = useQuery(sampleRequestsQuery(type, 'flat'))
  const failed = [nested, flat].find(({ isError }) => isError)
  return (
    <Panel
      title="Requests"
      description={
        <>
          A sample event in each format, as your server receives it. Signatures use a placeholder secret.{' '}
          <TextLink to="/guides/$guide" params={{ guide: 'signatures' }}>
            Verify signatures
          </TextLink>
        </>
      }
    >
      {failed !== undefined && <ErrorState error={failed.error} retry={() => void failed.refetch()} />}
      {failed === undefined && (
        <Tabs
          label="Request format"
          tabs={[
            { title: 'JSON', content: <Request request={nested.data?.JSON} /> },
            { title: 'POST, nested', content: <Request request={nested.data?.POST} /> },
            { title: 'POST, flat', content: <Request request={flat.data?.POST} /> },
            { title: 'GET', content: <Request request={nested.data?.GET} /> },
          ]}
        />
      )}
    </Panel>
  )
}

function Request({ request }: { request: SampleRequest | undefined }) {
  if (request === undefined) return <Skeleton height={320} />
  if (request === null) return <p>The sample is too large for this format.</p>
  const { method, url, headers, body } = request
  const { host, pathname, search } = new URL(url)
  const isJson = body.startsWith('{')
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    ...headers.map(({ name, value }) => `${name}: ${value}`),
  ]
  return (
    <div className={styles.stack}>
      <CodeBlock
        label="request"
        text={[...lines, ...(body === '' ? [] : ['', indentJson(body)])].join('\n')}
      />
      {isJson ? (
        <p className={styles.muted}>The body is shown with line breaks. On the wire it has none.</p>
      ) : (
        <>
          <p className={styles.muted}>The same fields, decoded:</p>
          <CodeBlock
            label="decoded fields"
            text={[...new URLSearchParams(body === '' ? search : body)]
              .map(([name, value]) => `${name}=${value}`)
              .join('\n')}
          />
        </>
      )}
    </div>
  )
}
