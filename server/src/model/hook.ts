/** A hook: a destination to which events of one type are sent. People read "webhook"; code says hook. */
export const eventTypes = [
  'all',
  'rcs',
  'sms_mo',
  'dlr',
  'voice_call',
  'voice_status',
  'voice_dtmf',
  'tracking',
] as const

export type EventType = (typeof eventTypes)[number]

export const requestMethods = ['POST', 'GET', 'JSON'] as const

export type RequestMethod = (typeof requestMethods)[number]

/** The five values that make a hook what it is. Two hooks of an account never share all five. */
export interface HookDefinition {
  targetUrl: string
  eventType: EventType
  requestMethod: RequestMethod
  eventFilter: string | null
  headers: string
}

export interface Hook extends HookDefinition {
  id: number
  enabled: boolean
  createdAt: Date
}

/** Ids are integers of 31 bits for good: existing clients read them as such. A larger one belongs to nothing. */
export const largestId = 2 ** 31 - 1
