/** States of deliveries, webhooks and replays: a word and a tone each, and why deliveries fail. */
import type { DeliveryState, HealthState, ReplayState } from '../api/shapes.ts'
import type { Tone } from '../parts/state-badge.tsx'

interface StateWords {
  word: string
  tone: Tone
}

export const deliveryWords: Record<DeliveryState, StateWords> = {
  delivered: { word: 'Delivered', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  expired: { word: 'Expired', tone: 'bad' },
  cancelled: { word: 'Cancelled', tone: 'quiet' },
  waiting: { word: 'Waiting', tone: 'attention' },
  held: { word: 'Held', tone: 'accent' },
}

export const deliveryStates = Object.keys(deliveryWords) as DeliveryState[]

/** How a delivery ends. */
export const endStates = deliveryStates.filter((state) => state !== 'waiting' && state !== 'held')

export const healthWords: Record<HealthState, StateWords> = {
  failing: { word: 'Failing', tone: 'bad' },
  unloadable: { word: 'On hold', tone: 'bad' },
  stopped: { word: 'Stopped', tone: 'attention' },
  paused: { word: 'Paused', tone: 'bad' },
  losing: { word: 'Losing', tone: 'attention' },
  waiting: { word: 'Behind', tone: 'attention' },
  disabled: { word: 'Disabled', tone: 'quiet' },
  idle: { word: 'Idle', tone: 'quiet' },
  healthy: { word: 'Healthy', tone: 'good' },
}

/** Worst first: what a person should look at before the rest. */
export const healthOrder = Object.keys(healthWords) as HealthState[]

/** Deliveries to it fail, so the question is why. */
export function doesFail(state: HealthState): boolean {
  return state === 'failing' || state === 'paused' || state === 'losing'
}

export const replayWords: Record<ReplayState, StateWords> = {
  counting: { word: 'Counting', tone: 'accent' },
  running: { word: 'Running', tone: 'accent' },
  paused: { word: 'Paused', tone: 'attention' },
  done: { word: 'Done', tone: 'good' },
  cancelled: { word: 'Cancelled', tone: 'quiet' },
}

/** Up to the first a webhook loses too many; below the second its receiver is not working. */
const lossy = 0.99
const poor = 0.9

export function toneOfShare(share: number): 'good' | 'attention' | 'bad' {
  if (share > lossy) return 'good'
  return share >= poor ? 'attention' : 'bad'
}

/** Where there is no share to show, as nothing has ended. */
export function unfinishedWords(waiting: number): string {
  return waiting > 0 ? 'None finished yet' : 'No deliveries'
}

/** Why attempts and deliveries end, in two or three words. */
export const reasonWords: Record<string, string> = {
  delivered: 'Delivered',
  status: 'Answer other than 2xx',
  redirect: 'Redirect',
  gone: 'Answer 410',
  timeout: 'No answer in time',
  connect_timeout: 'No connection in time',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection closed',
  unreachable: 'Unreachable',
  tls: 'Certificate or TLS',
  name_not_found: 'Name not found',
  invalid_answer: 'Not HTTP',
  protocol_error: 'Protocol error',
  forbidden_address: 'Address not public',
  own_address: 'Address of Hookline',
  address_too_long: 'Address too long',
  body_too_large: 'Form too large',
  resolver_down: 'Our DNS resolver',
  no_resources: 'Our worker',
  internal: 'Our fault',
  quarantined: 'Set aside by Hookline',
  too_late: 'Too late',
  hook_deleted: 'Webhook deleted',
  held_full: 'Too many held',
  held_too_long: 'Held too long',
  stopped_too_long: 'Stopped too long',
  unloadable_too_long: 'On hold too long',
  not_matched: 'Filter did not match',
  dropped_by_owner: 'Dropped by you',
}
