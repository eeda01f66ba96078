import { z } from 'zod'
import { poll } from '../../../consumers/poll.ts'
import { hasScope } from '../../../model/caller.ts'
import { ApiError } from '../../../model/errors.ts'
import { requestMethods } from '../../../model/hook.ts'
import { requireReveal } from '../../auth/require-role.ts'
import { waitingOperation } from '../../operation/operation.ts'
import { byId, cursor, lease, readCursor } from './params.ts'
import { polledResponse, presentPolled } from './present.ts'

const maxLimit = 100
const maxWaitSeconds = 25

export const pollConsumerOperation = waitingOperation('events:read', {
  id: 'pollConsumer',
  group: 'Consumers',
  role: 'developer',
  summary: 'Poll events',
  description:
    'Returns the next events of a consumer in commit order, each as the request that a worker would send. The first poll of a reader takes the lease, and each poll extends it. While the lease lasts, other readers get an error. The events are returned again until a cursor behind them is committed, so each is read at least once. Needs the scope `hooks` too. Without new events, the call waits for up to `wait` seconds.',
  params: byId.extend({
    lease: lease
      .optional()
      .meta({ description: 'The lease of this reader. Leave it out in the first poll.' }),
    limit: z.int().min(1).max(maxLimit).default(maxLimit).meta({
      description: 'Max events. A poll can return fewer, because a response has at most 512 KiB of requests.',
    }),
    wait: z
      .int()
      .min(0)
      .max(maxWaitSeconds)
      .default(0)
      .meta({ description: 'Seconds to wait for events if there are none.' }),
    lease_seconds: z.int().min(10).max(300).default(60).meta({
      description: 'How long the lease lasts after this poll. Longer than the events take to be handled.',
    }),
    after: cursor.optional().meta({
      description: 'Returns the events after this cursor instead of those after the committed position.',
    }),
    target_url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .optional()
      .meta({
        description:
          'The URL that the requests are built and signed for, such as that of a receiver on your own machine. Nothing is sent to it.',
      }),
    request_method: z
      .enum(requestMethods)
      .optional()
      .meta({ description: 'Builds the requests in this format.' }),
  }),
  response: polledResponse,
  errors: ['notFound', 'consumerInUse', 'leaseLost', 'tooManySearches'],
  isExpensive: true,
  async handle(
    { db, vault, clock, eventTypes, waitingPolls },
    { caller, input, isStillAllowed, runLimited },
  ) {
    requireReveal(caller, undefined)
    if (!hasScope(caller.scopes, 'hooks'))
      throw new ApiError('insufficientScope', 'Missing scope: polls also need "hooks".')
    const polled = await poll(
      { db, vault, clock, catalog: eventTypes.current(), waitingPolls },
      {
        accountId: caller.accountId,
        consumerId: input.id,
        lease: input.lease,
        leaseSeconds: Math.max(input.lease_seconds, input.wait + minSecondsAfterWait),
        after: input.after === undefined ? undefined : readCursor('after', input.after),
        limit: input.limit,
        waitMs: input.wait * 1_000,
        targetUrl: input.target_url,
        requestMethod: input.request_method,
        runLimited,
        isStillAllowed,
      },
    )
    return typeof polled === 'function'
      ? async (signal: AbortSignal) => presentPolled(await polled(signal))
      : presentPolled(polled)
  },
})

/** A lease lasts longer than the wait, so a waiting reader keeps it. */
const minSecondsAfterWait = 10
