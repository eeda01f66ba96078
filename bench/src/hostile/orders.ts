/** What the process of the hostile tenant is told, and what it answers. */
import type { TenantSettings } from './tenant.ts'

export type HostileOrder =
  /** Signs in and registers its webhooks. */
  { order: 'prepare' } | { order: 'start' } | { order: 'stop' }

export interface Prepared {
  registered: number
  /** Registrations that were refused, by status: of the filter mostly. */
  refused: Record<string, number>
}

export type ActivityResults = Record<string, Record<string, number>>

export interface HostileSettings {
  tenant: TenantSettings
  activities: readonly string[]
}
