/**
 * Sends due messages on a worker. Emails go to the mail server of the operator. Chat messages go to URLs that accounts chose,
 * which may be slow on purpose: they have slots of their own, one per account, so no account delays the notices of others.
 */
import { leaseChats, leaseEmails, type LeasedMessage } from './message-queue.ts'
import { sendMessage, type SendDeps } from './send-message.ts'

export interface MessageSender {
  /** Starts to send due messages, as far as slots are free. */
  start: () => Promise<void>
  /** Starts no other, and waits for those in progress. */
  stop: () => Promise<void>
}

const maxEmails = 5
const maxChats = 20

export function createEmailSender(deps: SendDeps, onError: (error: unknown) => void): MessageSender {
  return createSender(maxEmails, (free) => leaseEmails(deps.db, free), deps, onError)
}

export function createChatSender(deps: SendDeps, onError: (error: unknown) => void): MessageSender {
  const lease = (free: number, inFlight: Iterable<LeasedMessage>) =>
    leaseChats(
      deps.db,
      free,
      [...inFlight].map(({ accountId }) => accountId),
    )
  return createSender(maxChats, lease, deps, onError)
}

function createSender(
  slots: number,
  lease: (free: number, inFlight: Iterable<LeasedMessage>) => Promise<LeasedMessage[]>,
  deps: SendDeps,
  onError: (error: unknown) => void,
): MessageSender {
  const inFlight = new Map<LeasedMessage, Promise<void>>()
  const stopping = new AbortController()
  let isLeasing = false

  async function send(message: LeasedMessage): Promise<void> {
    // Without a result, a message is retried after its lease.
    await sendMessage(deps, message).catch(onError)
    inFlight.delete(message)
    await start().catch(onError)
  }

  async function start(): Promise<void> {
    if (isLeasing) return
    isLeasing = true
    try {
      while (!stopping.signal.aborted && inFlight.size < slots) {
        const leased = await lease(slots - inFlight.size, inFlight.keys())
        if (leased.length === 0) return
        for (const message of leased) inFlight.set(message, send(message))
      }
    } finally {
      isLeasing = false
    }
  }

  return {
    start,
    async stop() {
      stopping.abort()
      while (inFlight.size > 0) await Promise.all(inFlight.values())
    },
  }
}
