/** Event types that the operator has added, as last read from the service. Texts of built-in types are in `messages`. */
interface AddedEventType {
  label: string
  hasFilterField: boolean
}

export const addedEventTypes = new Map<string, AddedEventType>()
