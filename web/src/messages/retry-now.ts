/** Texts for the result of “Retry now”. */
import type { ResponseBody } from '@hookline/client'

type RetryResult = ResponseBody<'post', '/api/hooks/{id}/retry'>['started']

export const retryResultText: Record<RetryResult, string> = {
  probe: 'Probe sent. If it succeeds, the pending deliveries follow.',
  deliveries: 'Retrying pending deliveries',
  scheduled:
    'Not retried: pending deliveries were just attempted, wait for Retry-After, or have one attempt left',
  in_flight: 'A probe is already in flight',
  stopped: 'Not retried: the operator has stopped sending',
  nothing: 'No pending deliveries to retry',
}
