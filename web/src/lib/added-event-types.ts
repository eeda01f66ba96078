/**
 * Event types with texts of the service, as last read from it: those of the operator, and account events. Texts of the others
 * are in `messages`.
 */
interface AddedEventType {
  label: string
  hasFilterField: boolean
}

export const addedEventTypes = new Map<string, AddedEventType>()
