/** Evaluates the criteria of a search that concern the event itself, for events that are not read by a search. */
import { matchesNumber, readNumber } from '../model/number-search.ts'
import type { EventSearch } from './search-events.ts'

interface EventFields {
  id: string
  type: string
  messageId: string | null
  foreignId: string | null
  sender: string | null
  recipient: string | null
}

/** A text is compared with everything that the event has, but not with the ids of webhooks. */
export function createEventMatcher({
  eventId,
  text,
  messageId,
  foreignId,
  number,
  country,
  type,
}: EventSearch & { eventId?: string }): (event: EventFields) => boolean {
  const byText = text === undefined ? undefined : readNumber(text, country)
  const byNumber = number === undefined ? undefined : readNumber(number, country)
  return (event) => {
    const hasNumber = (search: typeof byText): boolean =>
      search === undefined || matchesNumber(search, event.sender) || matchesNumber(search, event.recipient)
    return (
      (eventId === undefined || event.id === eventId) &&
      (text === undefined || text === event.messageId || text === event.foreignId || hasNumber(byText)) &&
      (messageId === undefined || messageId === event.messageId) &&
      (foreignId === undefined || foreignId === event.foreignId) &&
      (type === undefined || type === event.type) &&
      hasNumber(byNumber)
    )
  }
}
