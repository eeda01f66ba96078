/** Handles a call with an `Idempotency-Key`: repeating it returns the first response. */
import { Readable } from 'node:stream'
import { runOnce } from '../../identity/accounts/idempotency-keys.ts'
import { ApiError } from '../../model/errors.ts'
import type { ApiDeps, Call, Operation, OperationResponse } from './operation.ts'

const keyFormat = /^[!-~]{1,128}$/
/** Marks a response that was stored. */
const replayedHeader = 'idempotency-replayed'

/** Returns the key of the call; undefined if it has none, or if the operation takes none. */
export function idempotencyKeyOf(operation: Operation, { origin }: Call): string | undefined {
  const values = operation.takesIdempotencyKey ? origin.headers['idempotency-key'] : undefined
  if (values === undefined) return undefined
  const [key = '', ...others] = values
  if (others.length > 0 || !keyFormat.test(key))
    throw new ApiError(
      'parameterInvalid',
      'The header "Idempotency-Key" must be one value of 1 to 128 visible ASCII characters.',
      { field: 'Idempotency-Key' },
    )
  return key
}

export async function handleOnce(
  operation: Operation,
  deps: ApiDeps,
  call: Call & { caller: NonNullable<Call['caller']> },
  key: string,
): Promise<OperationResponse> {
  const afterCommit: (() => void)[] = []
  const { accountId, loginId, member, scopes } = call.caller
  // With scopes and member: a response can show what another caller may not see.
  const content = JSON.stringify([
    operation.id,
    scopes.toSorted(),
    Object.entries(call.input).toSorted(byName),
    ...(member === undefined ? [] : [loginId, member]),
  ])
  const storesEvents = operation.storesEvents === true
  const { response, isRepeated } = await runOnce(
    deps,
    { accountId, key, content, storesEvents },
    async (db) => {
      const { body, headers } = await operation.handle(
        {
          ...deps,
          db,
          onCommitted: (committed) => void afterCommit.push(() => deps.onCommitted(committed)),
          onHooksChanged: (changed) => void afterCommit.push(() => deps.onHooksChanged(changed)),
        },
        call,
      )
      if (body instanceof Readable)
        throw new Error(`${operation.id} streams, so its response cannot be stored`)
      return { body, headers }
    },
  )
  for (const notify of afterCommit) notify()
  return isRepeated
    ? { ...response, headers: { ...response.headers, [replayedHeader]: 'true' } }
    : { body: response.body, ...(response.headers && { headers: response.headers }) }
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1
}
