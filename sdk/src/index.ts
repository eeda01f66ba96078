/** The client of the public API and the types of its calls. */
export type { paths } from './api-types.ts'
export { type Answer, ApiFailure, type Client, type Input, createClient } from './client.ts'
