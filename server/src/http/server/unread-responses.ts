/**
 * Limits unread responses, which stay in memory until the client has read them. Rejects calls of an account with too many
 * unread bytes and closes connections that are read too slowly.
 */
import type { ServerResponse } from 'node:http'
import { ApiError } from '../../model/errors.ts'
import type { OwnerId } from '../../runtime/fair-limiter.ts'

export interface UnreadResponses {
  rejectTooMany: (owner: OwnerId) => void
  /** Counts a response until it is sent or its connection ends. */
  add: (owner: OwnerId, bytes: number, response: ServerResponse) => void
}

interface UnreadLimits {
  maxBytes: number
  /** Base time to read a response, in addition to the time for its size. */
  minReadMs: number
  msPerMegabyte: number
}

/** 1,000 webhooks with max values have 9 MB, which take two minutes at 75 kB/s. */
const defaults: UnreadLimits = { maxBytes: 32_000_000, minReadMs: 30_000, msPerMegabyte: 10_000 }

export function createUnreadResponses(limits = defaults): UnreadResponses {
  const bytesOf = new Map<OwnerId, number>()

  function change(owner: OwnerId, bytes: number): void {
    const unread = (bytesOf.get(owner) ?? 0) + bytes
    if (unread === 0) bytesOf.delete(owner)
    else bytesOf.set(owner, unread)
  }

  return {
    rejectTooMany(owner) {
      if ((bytesOf.get(owner) ?? 0) < limits.maxBytes) return
      throw new ApiError(
        'tooManySearches',
        'Too many unread responses (over 32 MB). Read them or close their connections, then retry.',
        { retryAfterSeconds: 1 },
      )
    },
    add(owner, bytes, response) {
      const { socket } = response.req
      // A client that has already disconnected emits no further `close` event.
      if (response.destroyed || socket.destroyed) return
      change(owner, bytes)
      const readMs = limits.minReadMs + (bytes / 1_000_000) * limits.msPerMegabyte
      // Destroys the socket, because responses queued behind this one would stay in memory.
      const timer = setTimeout(() => socket.destroy(), readMs).unref()
      response.once('close', () => {
        clearTimeout(timer)
        change(owner, -bytes)
      })
    },
  }
}
