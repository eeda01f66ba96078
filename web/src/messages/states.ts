/** Labels and tones of delivery, webhook and replay states, and labels of failure reasons. */
import type { DeliveryReason, DeliveryState, HealthState, ReplayState } from '../api/types.ts'
import type { Tone } from '../lib/tone.ts'

interface StateText {
  label: string
  tone: Tone
}

export const deliveryStateText: Record<DeliveryState, StateText> = {
  delivered: { label: 'Delivered', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  expired: { label: 'Expired', tone: 'danger' },
  cancelled: { label: 'Canceled', tone: 'neutral' },
  waiting: { label: 'Pending', tone: 'warning' },
  held: { label: 'Held', tone: 'info' },
}

export const deliveryStates = Object.keys(deliveryStateText) as DeliveryState[]

/** States of finished deliveries. */
export const finalStates = deliveryStates.filter((state) => state !== 'waiting' && state !== 'held')

export const healthStateText: Record<HealthState, StateText> = {
  failing: { label: 'Failing', tone: 'danger' },
  unloadable: { label: 'On hold', tone: 'danger' },
  stopped: { label: 'Stopped', tone: 'warning' },
  backing_off: { label: 'Backing off', tone: 'danger' },
  degraded: { label: 'Degraded', tone: 'warning' },
  delayed: { label: 'Delayed', tone: 'warning' },
  disabled: { label: 'Disabled', tone: 'neutral' },
  idle: { label: 'Idle', tone: 'neutral' },
  healthy: { label: 'Healthy', tone: 'success' },
}

/** Most urgent first. */
export const healthOrder = Object.keys(healthStateText) as HealthState[]

/** True for states in which deliveries fail. */
export function isFailingState(state: HealthState): boolean {
  return state === 'failing' || state === 'backing_off' || state === 'degraded'
}

export const replayStateText: Record<ReplayState, StateText> = {
  counting: { label: 'Counting', tone: 'info' },
  running: { label: 'Running', tone: 'info' },
  paused: { label: 'Paused', tone: 'warning' },
  done: { label: 'Done', tone: 'success' },
  cancelled: { label: 'Canceled', tone: 'neutral' },
}

/** Success ratios: healthy above the first, degraded from the second, failing below. */
const healthyAbove = 0.99
const degradedFrom = 0.9

export function toneForRatio(ratio: number): 'success' | 'warning' | 'danger' {
  if (ratio > healthyAbove) return 'success'
  return ratio >= degradedFrom ? 'warning' : 'danger'
}

/** Shown in place of a success rate if no delivery has finished. */
export function describePending(pending: number): string {
  return pending > 0 ? 'None finished yet' : 'No deliveries'
}

/** Short reasons of finished attempts and deliveries. */
export const reasonText: Record<DeliveryReason, string> = {
  delivered: 'Delivered',
  status: 'Non-2xx response',
  redirect: 'Redirect',
  gone: '410 response',
  timeout: 'Response timeout',
  connect_timeout: 'Connection timeout',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection reset',
  unreachable: 'Host unreachable',
  tls: 'TLS error',
  name_not_found: 'DNS name not found',
  invalid_response: 'Invalid HTTP response',
  protocol_error: 'Protocol error',
  forbidden_address: 'IP address not public',
  own_address: 'URL of Hookline',
  address_too_long: 'URL too long',
  body_too_large: 'Form too large',
  resolver_down: 'Hookline DNS error',
  no_resources: 'Hookline worker error',
  internal: 'Internal error',
  quarantined: 'Quarantined',
  too_late: 'Expired',
  hook_deleted: 'Webhook deleted',
  held_full: 'Hold limit reached',
  held_too_long: 'Hold expired',
  stopped_too_long: 'Stopped too long',
  unloadable_too_long: 'On hold too long',
  not_matched: 'Filter did not match',
  discarded: 'Discarded',
  replay_cancelled: 'Replay canceled',
  retention: 'Past retention',
}
