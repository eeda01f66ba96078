import { dayMs } from '../model/day.ts'
import { ApiError } from '../model/errors.ts'

/**
 * The position of a tail: everything up to and including this row, in commit order. A transaction gets its id when it
 * starts to write. Readers read only below the oldest running one. So late commits are still ahead, and nothing ever
 * appears behind the position.
 */
export interface TailPosition {
  /** Transaction id. */
  xid: string
  /** Row within the transaction: the event, for a delivery its hook and round, for an attempt also its number. */
  eventId: string
  hookId: number
  round: number
  attempt: number
  /** Start of that transaction. Transactions with higher ids did not start much earlier. */
  at: Date
}

/** No transaction that writes events runs this long, and no clock is this wrong: other days need not be read. */
export const slackMs = dayMs

const firstId = '00000000-0000-0000-0000-000000000000'

/** Returns the position before all rows of a transaction. */
export function beforeTransaction(xid: string, at: Date): TailPosition {
  return { xid, eventId: firstId, hookId: -1, round: 0, attempt: 0, at }
}

export function encodeCursor({ xid, eventId, hookId, round, attempt, at }: TailPosition): string {
  const text = [xid, eventId.replaceAll('-', ''), hookId, round, at.getTime(), attempt].join(' ')
  return Buffer.from(text).toString('base64url')
}

const maxHookId = 2_147_483_647
const maxRound = 32_767
/** Orders a delivery after the last attempt of its round, which is in the same transaction. */
export const afterAttempts = 32_767

/**
 * Returns undefined for an invalid cursor. One statement reads for all tails, so no value that could fail it may
 * pass: the time has 13 digits, from 2001 on, and no number exceeds its column. Cursors of earlier versions have no
 * attempt: they are behind all attempts of their row.
 */
export function decodeCursor(cursor: string): TailPosition | undefined {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, xid = '', hex = '', hookText, roundText, at, attemptText = afterAttempts] =
    /^(\d{1,19}) ([0-9a-f]{32}) (-1|\d{1,10}) (\d{1,5}) (\d{13})(?: (\d{1,5}))?$/.exec(text) ?? []
  const [hookId, round, attempt] = [Number(hookText), Number(roundText), Number(attemptText)]
  if (xid === '' || hookId > maxHookId || round > maxRound || attempt > afterAttempts) return undefined
  const eventId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { xid, eventId, hookId, round, attempt, at: new Date(Number(at)) }
}

/** Returns whether a position is ahead of the database, as after a restore of an older backup. */
export function isAhead(
  { xid, at }: Pick<TailPosition, 'xid' | 'at'>,
  { next, now }: { next: string; now: Date },
): boolean {
  return BigInt(xid) > BigInt(next) || at.getTime() > now.getTime() + slackMs
}

/** For a cursor that a caller sent. */
export function rejectAhead(
  position: Pick<TailPosition, 'xid' | 'at'>,
  horizon: { next: string; now: Date },
  field: string,
): void {
  if (isAhead(position, horizon)) throw new ApiError('parameterInvalid', 'Unknown cursor.', { field })
}
