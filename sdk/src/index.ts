/** The client of the public API and the types of its calls. */
export type { paths, webhooks } from './api-types.ts'
export { type StreamMessage, streamEvents } from './stream-events.ts'
export { type ConsumedEvent, type ConsumeOptions, consume } from './consume.ts'
export {
  type ResponseBody,
  ApiError,
  type Client,
  type ErrorCode,
  type ErrorDetails,
  type RequestOptions,
  createClient,
} from './client.ts'
