/** Receives webhooks of Hookline: verifies, parses, and handles each event once. */
export type { EventDataByType } from './event-types.ts'
export type { RunRedis, RunSql } from './databases.ts'
export {
  keepNewest,
  memoryStatusStore,
  type OrderedStatus,
  redisStatusStore,
  sqlStatusStore,
  type StatusStore,
} from './newest.ts'
export { EventInProgress, type IdStore, memoryStore, once, redisStore, sqlStore } from './once.ts'
export {
  type CustomEventData,
  type KnownEvent,
  type OtherEvent,
  parse,
  UnreadableEvent,
  type WebhookEvent,
} from './parse.ts'
export type { LambdaEvent } from './read-lambda.ts'
export { receive, type Received, type ReceiveOptions } from './receive.ts'
export type { ReceiveFailure, ReceiveFailureCode } from './receive-failure.ts'
export { sign, type TestEvent, type TestRequest } from './sign.ts'
export type { SignedRequest } from './request.ts'
export { type FailureCode, type Keys, type Verification, verify } from './verify.ts'
