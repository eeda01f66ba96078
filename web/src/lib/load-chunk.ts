/**
 * Loads a part of the dashboard that is not in the first files. During an outage it waits until the service responds. If the
 * service responds and the file is still missing, as after a deployment, the import fails.
 */
import { type ComponentType, lazy } from 'react'
import { untilReachable } from './connection.ts'

class Unreachable extends Error {}

export function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  return untilReachable(
    async () => {
      try {
        return await load()
      } catch {
        await probe()
        await reloadStyles()
        return load()
      }
    },
    (error) => error instanceof Unreachable,
  )
}

/** Like `lazy` of React, for named exports. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy<ComponentType<Props>>(async () => ({ default: await loadChunk(load) }))
}

async function probe(): Promise<void> {
  const response = await fetch('/favicon.ico', { cache: 'no-store' }).catch(() => undefined)
  if (response === undefined || response.status >= 500) throw new Unreachable('The service does not respond.')
}

/** The loader of Vite requests each style sheet once, even if that fails. */
async function reloadStyles(): Promise<void> {
  const failed = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(
    ({ sheet }) => sheet === null,
  )
  await Promise.all(
    failed.map((link) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const again = link.cloneNode() as HTMLLinkElement
      again.addEventListener('load', () => resolve())
      again.addEventListener('error', () => resolve())
      link.replaceWith(again)
      return promise
    }),
  )
}
