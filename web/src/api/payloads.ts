/** Schemas and sample requests of event types. */
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'
import type { DeliveryOptions } from './types.ts'

export const eventSchemasQuery = queryOptions({
  queryKey: ['event-schemas'],
  queryFn: async ({ signal }) => (await client.get('/api/event-types/schemas', { signal })).schemas,
  staleTime: 60_000,
})

/** The requests for a sample event, built by the code that sends deliveries. */
export function sampleRequestsQuery(type: string, formFields: DeliveryOptions['form_fields']) {
  return queryOptions({
    queryKey: ['sample-requests', type, formFields],
    queryFn: async ({ signal }) => {
      const body = {
        target_url: 'https://example.com/webhook',
        event_type: type,
        request_method: 'JSON' as const,
        form_fields: formFields,
      }
      return (await client.post('/api/hooks/preview', { body, signal })).requests
    },
    staleTime: 60_000,
  })
}
