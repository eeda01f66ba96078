/** Names for API types of webhooks, events and replays. The SDK defines the types. */
import type { ResponseBody, RequestOptions, webhooks } from '@hookline/client'

/** Sentences of the API are for users of curl. The dashboard has its own texts, so its types omit them. */
type Sentence = 'message' | 'hint' | 'next_message' | 'selected'

type Data<T> =
  T extends ReadonlyArray<infer Item>
    ? Array<Data<Item>>
    : T extends object
      ? { [Name in keyof T as Name extends Sentence ? never : Name]: Data<T[Name]> }
      : T

/** How users know a webhook that another response mentions. `messages/webhook-name.ts` formats it. */
export type NamedWebhook = ResponseBody<'get', '/api/events'>['webhooks'][number]

export type HookDetail = Data<ResponseBody<'get', '/api/hooks/{id}'>>
export type Hook = HookDetail['hook']
export type HookWithHealth = Data<ResponseBody<'get', '/api/hooks/health'>['hooks'][number]>
export type HealthState = HookWithHealth['health']['state']
export type DisabledReason = NonNullable<Hook['disabled_reason']>
export type HookProblem = NonNullable<HookWithHealth['health']['problem']>
/** Names of types that need no catalog: built-in types, `all` and parts of a type. */
export type BuiltInType = keyof webhooks | 'all' | 'rcs_mo' | 'rcs_dlr'
export type RequestMethod = Hook['request_method']
/** Event types of a webhook as parameters: one type or a list. */
export type HookTypes = { event_filter: string | null } & (
  { event_type: string; event_types?: never } | { event_type?: never; event_types: string[] }
)
/** Everything that a user can set. */
export type HookSettings = HookTypes &
  DeliveryOptions &
  Pick<Hook, 'name' | 'description' | 'target_url' | 'request_method' | 'headers' | 'max_per_second'>
export type DeliveryOptions = Pick<
  Hook,
  'form_fields' | 'retry_policy' | 'accept_header' | 'trace_header' | 'signature_url'
>
export type HookVersion = ResponseBody<'get', '/api/hooks/{id}/versions'>['versions'][number]
export type FieldChange = HookVersion['changes'][number]
export type HookStats = Data<ResponseBody<'get', '/api/hooks/{id}/stats'>>
export type HookError = HookStats['errors'][number]
export type HookRange = '24h' | '7d' | '30d'

export type Preview = ResponseBody<'post', '/api/hooks/preview'>
export type Warning = Data<Preview['warnings'][number]>
export type FilterBacktest = ResponseBody<'post', '/api/hooks/backtest-filter'>
export type FilterSample = FilterBacktest['samples']['matched'][number]

export type AttemptPage = Data<ResponseBody<'get', '/api/hooks/{id}/attempts'>>
export type Attempt = AttemptPage['attempts'][number]
export type AttemptReason = Attempt['reason']
export type Header = NonNullable<Attempt['request']>['headers'][number]

type ApiEvent = ResponseBody<'get', '/api/events'>['events'][number]
/** The API names the webhooks of a page once. Here each delivery has its own. */
export type DeliverySummary = ApiEvent['deliveries'][number] & { webhook: NamedWebhook | null }
export type EventRow = Omit<ApiEvent, 'deliveries'> & { deliveries: DeliverySummary[] }
export type DeliveryState = DeliverySummary['state']
export type DeliveryReason = NonNullable<DeliverySummary['reason']>
/** Fields may be undefined, because the router reads them from the URL. */
export type EventSearch = Omit<NonNullable<RequestOptions<'get', '/api/events'>['query']>, 'cursor' | 'limit'>
export type EventDetail = Data<ResponseBody<'get', '/api/events/{id}'>>
export type EventHook = EventDetail['hooks'][number]
export type EventDelivery = EventHook['deliveries'][number]

type OverviewData = Data<ResponseBody<'get', '/api/overview'>>
/** `why` is a sentence. */
export type Alert = Omit<OverviewData['alerts'][number], 'why'>
export type WebhookCounters = Alert['counters']
export type Overview = Omit<OverviewData, 'alerts'> & { alerts: Alert[] }
export type OverviewRange = '1h' | HookRange

export type Replay = Data<ResponseBody<'get', '/api/replays/{id}'>['replay']>
export type ReplayState = Replay['state']
export type ReplayCount = Data<ResponseBody<'post', '/api/replays/count'>>
export type Selection = RequestOptions<'post', '/api/replays'>['body']['selection']
