/**
 * The calls about webhooks, events and replays, written by hand: which there are, what they take, what they answer.
 * Stands in for the types of the sdk until those know these calls; `heart` is then `client`.
 */
import { client } from './api.ts'

export type EventType =
  'all' | 'sms_mo' | 'dlr' | 'voice_call' | 'voice_status' | 'voice_dtmf' | 'tracking' | 'rcs'
export type RequestMethod = 'POST' | 'GET' | 'JSON'
export type HealthState = 'healthy' | 'failing' | 'waiting' | 'paused' | 'disabled' | 'idle'
export type DeliveryState = 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
export type ReplayState = 'counting' | 'running' | 'paused' | 'done' | 'cancelled'

export interface Hook {
  id: number
  target_url: string
  event_type: EventType
  event_filter: string | null
  request_method: RequestMethod
  headers: string
  enabled: boolean
  disabled_reason: string | null
  most_per_second: number | null
  created_at: string
  changed_at: string
}

interface Health {
  hook_id: number
  state: HealthState
  sentence: string
  delivered_24h: number
  failed_24h: number
  attempts_24h: number
  failed_attempts_24h: number
  success_rate: number | null
  waiting: number
  held: number
  oldest_waiting_at: string | null
  last_attempt_at: string | null
  last_delivered_at: string | null
  failing_since: string | null
  breaker: 'closed' | 'open' | 'probing'
  next_probe_at: string | null
  receiver_p50_ms: number | null
  receiver_p95_ms: number | null
}

export interface HookWithHealth {
  hook: Hook
  health: Health
}

export interface HookStory extends HookWithHealth {
  warnings: { kind: string; at: string }[]
  secret_rotated_at: string | null
}

export interface HookValues {
  target_url: string
  event_type: EventType
  event_filter: string | null
  request_method: RequestMethod
  headers: string
}

export interface Remark {
  field: string
  message: string
}

export interface Header {
  name: string
  value: string
}

interface ShownRequest {
  method: string
  url: string
  headers: Header[]
  body: string
}

export interface Preview {
  problems: Remark[]
  warnings: Remark[]
  /** Null while address or headers have a problem; one of them is null where it cannot be sent that way. */
  requests: Record<RequestMethod, ShownRequest | null> | null
  curl: string | null
}

export interface FilterSample {
  event_id: string
  accepted_at: string
  type: EventType
  from: string | null
  to: string | null
  why: string | null
}

export interface FilterTrial {
  examined: number
  matched: number
  current_matched: number | null
  samples: Record<'matched' | 'not_matched' | 'gained' | 'lost', FilterSample[]>
}

interface Figures {
  delivered: number
  failed: number
  expired: number
  cancelled: number
  attempts: number
  failures: number
}

export interface HookError {
  reason: string
  status: number | null
  count: number
  last_at: string
  sentence: string
  advice: string | null
}

interface HookStats {
  buckets: ({ start: string } & Figures)[]
  totals: Figures
  errors: HookError[]
}

export interface Attempt {
  event_id: string
  hook_id: number
  round: number
  attempt: number
  started_at: string
  reason: string
  sentence: string
  advice: string | null
  status: number | null
  phases: {
    dns_ms: number | null
    connect_ms: number | null
    tls_ms: number | null
    first_byte_ms: number | null
    body_ms: number | null
    total_ms: number
  }
  request: ShownRequest | null
  answer: { headers: string; body: string | null; is_text: boolean; truncated: boolean } | null
  worker: string | null
}

interface HookAttempts {
  attempts: Attempt[]
  next: string | null
}

export interface DeliveryMark {
  hook_id: number
  state: DeliveryState
  reason: string | null
  attempts: number
  round: number
}

export interface EventRow {
  id: string
  type: EventType
  accepted_at: string
  occurred_at: string | null
  message_id: string | null
  from: string | null
  to: string | null
  foreign_id: string | null
  is_test: boolean
  deliveries: DeliveryMark[]
}

export interface EventSearch {
  q?: string | undefined
  message_id?: string | undefined
  number?: string | undefined
  foreign_id?: string | undefined
  type?: string | undefined
  hook_id?: number | undefined
  state?: DeliveryState | undefined
  status?: number | undefined
  reason?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export interface ToldDelivery {
  round: number
  state: DeliveryState
  reason: string | null
  sentence: string
  attempts: Attempt[]
  next_attempt_at: string | null
  next_why: string | null
  finished_at: string | null
}

export interface ToldHook {
  hook_id: number
  target_url: string
  event_type: EventType
  event_filter: string | null
  request_method: RequestMethod
  verdict: string
  why: { kind: string; saw?: string | null; clause?: string | null; sentence: string }
  deliveries: ToldDelivery[]
}

export interface EventStory {
  event: EventRow & { data: Record<string, unknown>; producer: string | null }
  routed: { at: string; hooks_version: number | string } | null
  hooks: ToldHook[]
  timeline: { at: string; sentence: string }[]
}

export interface Overview {
  attention: { kind: string; sentence: string; hook_id: number | null; since: string | null }[]
  totals: {
    events: number
    delivered: number
    failed: number
    expired: number
    cancelled: number
    waiting: number
    held: number
    oldest_waiting_at: string | null
    success_after_retries: number | null
    receiver_p95_ms: number | null
  }
  buckets: { start: string; events: number; delivered: number; failed: number }[]
}

export type Selection = { deliveries: { event_id: string; hook_id: number }[] } | { search: EventSearch }

export interface Replay {
  id: number
  state: ReplayState
  kind: string
  created_at: string
  created_by: string
  most_per_second: number
  total: number
  started: number
  /** Not sent again: still waiting, or the webhook is deleted or disabled. */
  skipped: number
  delivered: number
  failed: number
  finished_at: string | null
  sentence: string
}

interface HookSecret {
  secret: string
  signature_key: string
  rotated_at: string | null
  previous_until: string | null
}

type ById = { path: { id: number | string } }
type Signal = { signal?: AbortSignal }

interface Calls {
  get: {
    '/api/hooks/health': [Signal, { hooks: HookWithHealth[] }]
    '/api/hooks/{id}': [ById & Signal, HookStory]
    '/api/hooks/{id}/secret': [ById & Signal, HookSecret]
    '/api/hooks/{id}/stats': [ById & { query: { range: HookRange } } & Signal, HookStats]
    '/api/hooks/{id}/attempts': [ById & { query: { cursor?: string } } & Signal, HookAttempts]
    '/api/events': [
      { query: EventSearch & { cursor?: string; limit?: number } } & Signal,
      { events: EventRow[]; next: string | null; took_ms: number },
    ]
    '/api/events/{id}': [ById & { query?: { reveal: boolean } } & Signal, EventStory]
    '/api/overview': [{ query: { range: OverviewRange } } & Signal, Overview]
    '/api/replays': [Signal, { replays: Replay[] }]
    '/api/replays/{id}': [ById & Signal, { replay: Replay }]
  }
  post: {
    '/api/hooks': [{ body: HookValues }, { id: number }]
    '/api/hooks/{id}': [
      ById & { body: Partial<HookValues> & { most_per_second?: number | null } },
      { hook: Hook },
    ]
    '/api/hooks/{id}/disable': [ById, { hook: Hook; waiting: number }]
    '/api/hooks/{id}/enable': [
      ById & { body: { held: 'deliver' | 'drop' } },
      { hook: Hook; held: number; replay_id: number | null },
    ]
    '/api/hooks/{id}/test': [ById & { body: { event_type?: EventType } }, { event_id: string }]
    '/api/hooks/{id}/secret': [ById, { secret: string; previous_until: string | null }]
    '/api/hooks/preview': [{ body: HookValues & { hook_id?: number } } & Signal, Preview]
    '/api/hooks/try-filter': [
      {
        body: { event_type: EventType; event_filter: string | null; hook_id?: number; limit?: number }
      } & Signal,
      FilterTrial,
    ]
    '/api/events/{id}/curl': [ById & { body: { hook_id: number } }, { curl: string }]
    '/api/replays/count': [{ body: { selection: Selection } } & Signal, { count: number; is_exact: boolean }]
    '/api/replays': [{ body: { selection: Selection; most_per_second?: number } }, { replay: Replay }]
    '/api/replays/{id}/pause': [ById, { replay: Replay }]
    '/api/replays/{id}/resume': [ById, { replay: Replay }]
    '/api/replays/{id}/cancel': [ById, { replay: Replay }]
  }
  delete: {
    '/api/hooks': [{ body: { id: number } }, unknown]
  }
}

export type HookRange = '24h' | '7d' | '30d'
export type OverviewRange = '24h' | '30d'

type Call<Table> = <Path extends keyof Table & string>(
  path: Path,
  input: Table[Path] extends [infer In, unknown] ? In : never,
) => Promise<Table[Path] extends [unknown, infer Out] ? Out : never>

export const heart = client as unknown as { [Verb in keyof Calls]: Call<Calls[Verb]> }
