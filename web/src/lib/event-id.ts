/** Returns true if the text has the format of an event ID (UUID). */
export function isEventId(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)
}
