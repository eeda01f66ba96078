/** Remembers in this browser which notices the user has dismissed. Without storage they return with the next visit. */

const maxRemembered = 50

export function readDismissed(name: string): readonly number[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'number') : []
  } catch {
    return []
  }
}

/** Returns the dismissed ones, the oldest of which are forgotten. */
export function dismiss(name: string, ids: readonly number[]): readonly number[] {
  const dismissed = [...new Set([...readDismissed(name), ...ids])].slice(-maxRemembered)
  try {
    localStorage.setItem(name, JSON.stringify(dismissed))
  } catch {
    // Storage is full or not allowed.
  }
  return dismissed
}
