/** The client of the public API and the types of its calls. */
export type { paths, webhooks } from './api-types.ts'
export { type CallOptions, type Client, type ClientOptions, createClient } from './client.ts'
export type { RequestOptions, ResponseBody } from './client.ts'
export {
  type ErrorCode,
  type ErrorDetails,
  type HooklineError,
  type Reason,
  ApiError,
  isHooklineError,
} from './errors.ts'
export { type ConsumedEvent, type ConsumeOptions, consume } from './consume.ts'
export { type ListItem, type ListPath, listAll } from './list-all.ts'
export { type StreamMessage, streamEvents } from './stream-events.ts'
