/** Types of Koa middleware around the authorization server. */
import type { Provider } from 'oidc-provider'

export type Context = InstanceType<typeof Provider>['context']
export type Middleware = (ctx: Context, next: () => Promise<unknown>) => Promise<unknown>
