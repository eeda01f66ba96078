/** A step around the authorization server's own, in the way of the framework it is built on. */
import type { Provider } from 'oidc-provider'

export type Context = InstanceType<typeof Provider>['context']
export type Middleware = (ctx: Context, next: () => Promise<unknown>) => Promise<unknown>
