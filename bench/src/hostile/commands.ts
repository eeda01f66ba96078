/** Commands to the process of the hostile tenant, and its responses. */
import type { TenantSettings } from './tenant.ts'

export type HostileCommand =
  /** `prepare` signs in and registers the webhooks. */
  { command: 'prepare' } | { command: 'start' } | { command: 'stop' }

export interface Prepared {
  registered: number
  /** Rejected registrations by status and error, mostly because of the filter. */
  rejected: Record<string, number>
}

export type ActivityResults = Record<string, Record<string, number>>

export interface HostileSettings {
  tenant: TenantSettings
  activities: readonly string[]
  /** Fraction of each activity's rate. */
  intensity: number
}
