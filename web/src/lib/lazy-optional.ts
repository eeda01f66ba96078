/**
 * Loads an optional component on demand. Renders nothing if loading fails, so the rest of the page stays usable. Loading
 * fails for a page from before a deployment, because the old file is gone.
 */
import { type ComponentType, lazy } from 'react'
import { loadChunk } from './load-chunk.ts'

export function lazyOptional<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy<ComponentType<Props>>(async () => {
    try {
      return { default: await loadChunk(load) }
    } catch {
      return { default: () => null }
    }
  })
}
