/** A hook: an endpoint that receives events of one type. Users read "webhook"; code says hook. */
import type { DeliveryOptions } from './delivery-options.ts'

/** Built-in types that a hook can have. */
export const eventTypes = [
  'all',
  'rcs',
  'sms_mo',
  'dlr',
  'voice_call',
  'voice_status',
  'voice_dtmf',
  'tracking',
  'wa_mo',
] as const

export type EventType = (typeof eventTypes)[number]

export const requestMethods = ['POST', 'GET', 'JSON'] as const

export type RequestMethod = (typeof requestMethods)[number]

/** The five values that identify a hook. No two hooks of an account share all five. */
export interface HookDefinition {
  targetUrl: string
  /** The name it was registered with: an event type, `all`, or an older name of a type. */
  eventType: string
  requestMethod: RequestMethod
  eventFilter: string | null
  headers: string
}

/** Which events a hook receives. */
export type HookTypes = Pick<HookDefinition, 'eventType' | 'eventFilter'>

/** Texts for users. They do not identify a hook and do not affect deliveries. */
export interface HookTexts {
  name: string | null
  description: string | null
}

export interface Hook extends HookDefinition, HookTexts, DeliveryOptions {
  id: number
  enabled: boolean
  createdAt: Date
}

/** Ids are always 31-bit integers: existing clients rely on it. No larger id exists. */
export const maxId = 2 ** 31 - 1
