/** Names for what the API answers about webhooks, events and replays; the shapes themselves are the sdk's. */
import type { Answer, Input } from '@hookline/sdk'

export type HookStory = Answer<'get', '/api/hooks/{id}'>
export type Hook = HookStory['hook']
export type HookWithHealth = Answer<'get', '/api/hooks/health'>['hooks'][number]
export type HealthState = HookWithHealth['health']['state']
export type EventType = Hook['event_type']
/** A type that an event itself has: not all of them together. */
export type DeliverableType = Exclude<EventType, 'all'>
export type RequestMethod = Hook['request_method']
/** What a person writes into the form of a webhook. */
export type HookValues = Pick<
  Hook,
  'target_url' | 'event_type' | 'event_filter' | 'request_method' | 'headers'
>
export type HookError = Answer<'get', '/api/hooks/{id}/stats'>['errors'][number]
export type HookRange = '24h' | '7d' | '30d'

export type Preview = Answer<'post', '/api/hooks/preview'>
export type Remark = Preview['problems'][number]
export type FilterTrial = Answer<'post', '/api/hooks/try-filter'>
export type FilterSample = FilterTrial['samples']['matched'][number]

export type Attempt = Answer<'get', '/api/hooks/{id}/attempts'>['attempts'][number]
export type Header = NonNullable<Attempt['request']>['headers'][number]

export type EventRow = Answer<'get', '/api/events'>['events'][number]
export type DeliveryMark = EventRow['deliveries'][number]
export type DeliveryState = DeliveryMark['state']
/** Every field may be named without a value: so the router reads them from the address. */
export type EventSearch = Omit<NonNullable<Input<'get', '/api/events'>['query']>, 'cursor' | 'limit'>
export type EventStory = Answer<'get', '/api/events/{id}'>
export type ToldHook = EventStory['hooks'][number]
export type ToldDelivery = ToldHook['deliveries'][number]

export type Overview = Answer<'get', '/api/overview'>
export type OverviewRange = '24h' | '30d'

export type Replay = Answer<'get', '/api/replays/{id}'>['replay']
export type ReplayState = Replay['state']
export type Selection = Input<'post', '/api/replays'>['body']['selection']
