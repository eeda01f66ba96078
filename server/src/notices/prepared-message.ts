import type { SentNotice } from './group-notices.ts'
import type { LeasedMessage } from './message-queue.ts'

/** A message that is still wanted, with what it is about. */
export interface PreparedMessage {
  leased: LeasedMessage
  /** None: a test. */
  notices: SentNotice[]
  account: { id: number; name: string }
}
