/**
 * Where a tail has got to: everything up to and including this row, in the order of commit. A transaction's number is given
 * when it begins to write, so rows are read only below the oldest one that is still under way: what commits late is then
 * still ahead, and nothing ever appears behind.
 */
export interface TailPosition {
  /** Of the transaction. */
  xid: string
  /** Within it: the event, and of a delivery its hook and round. */
  eventId: string
  hookId: number
  round: number
  /** When that transaction began. Those with higher numbers did not begin much earlier. */
  at: Date
}

const firstId = '00000000-0000-0000-0000-000000000000'

/** Before all that this transaction wrote. */
export function beforeAll(xid: string, at: Date): TailPosition {
  return { xid, eventId: firstId, hookId: -1, round: 0, at }
}

export function writePosition({ xid, eventId, hookId, round, at }: TailPosition): string {
  const text = [xid, eventId.replaceAll('-', ''), hookId, round, at.getTime()].join(' ')
  return Buffer.from(text).toString('base64url')
}

const largestHookId = 2_147_483_647
const largestRound = 32_767

/**
 * Undefined: this is none of ours. One statement reads for all tails, so nothing gets through that it could fail by: the
 * time has 13 digits, from 2001 on, and no number is larger than its column.
 */
export function readPosition(cursor: string): TailPosition | undefined {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, xid = '', hex = '', hook, nth, at] =
    /^(\d{1,19}) ([0-9a-f]{32}) (-1|\d{1,10}) (\d{1,5}) (\d{13})$/.exec(text) ?? []
  const [hookId, round] = [Number(hook), Number(nth)]
  if (xid === '' || hookId > largestHookId || round > largestRound) return undefined
  const eventId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { xid, eventId, hookId, round, at: new Date(Number(at)) }
}
