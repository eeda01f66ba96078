/** Whether lists show absolute or relative times. Stored in this browser. */
import { useSyncExternalStore } from 'react'

export type TimeStyle = 'absolute' | 'relative'

const storageKey = 'hookline.times'
const listeners = new Set<() => void>()
/** Used if the browser denies storage. */
let unstored: TimeStyle = 'absolute'

function read(): TimeStyle {
  try {
    return localStorage.getItem(storageKey) === 'relative' ? 'relative' : 'absolute'
  } catch {
    return unstored
  }
}

export function setTimeStyle(style: TimeStyle): void {
  unstored = style
  try {
    localStorage.setItem(storageKey, style)
  } catch {
    // Applies until the page is closed.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab may change it.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

export function useTimeStyle(): TimeStyle {
  return useSyncExternalStore(subscribe, read)
}
