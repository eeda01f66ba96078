/**
 * A part that is loaded when it is needed and that the page can do without. A page from before a new version was installed
 * may find it gone; then there is nothing, and the rest of the page stays.
 */
import { type ComponentType, lazy } from 'react'

export function lazyOrNothing<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy<ComponentType<Props>>(async () => {
    try {
      return { default: await load() }
    } catch {
      return { default: () => null }
    }
  })
}
