/**
 * Channels of an account: incoming webhooks of chat services, and further email addresses. An address gets notices only
 * after its holder has confirmed it by a link.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../db/audit.ts'
import { countChange } from '../db/change-count.ts'
import type { Database, Trx } from '../db/database.ts'
import { isUniqueViolation, validateEmail } from '../identity/accounts/logins.ts'
import { ApiError } from '../model/errors.ts'
import type { ChannelKind, MessageState, NoticeGroup, SendingMode } from '../model/notice.ts'
import type { Vault } from '../vault/vault.ts'

export interface ChannelSettings {
  name: string
  groups: readonly NoticeGroup[]
  mode: SendingMode
}

export interface NewChannel extends ChannelSettings {
  kind: ChannelKind
  /** An email, or the normalized URL of an incoming webhook. */
  target: string
}

export interface ListedChannel extends ChannelSettings {
  id: number
  kind: ChannelKind
  /** The address, or the host of the URL. */
  target: string
  createdAt: Date
  isConfirmed: boolean
  /** The last message. */
  last: LastMessage | null
}

export interface LastMessage {
  state: MessageState
  isTest: boolean
  responseCode: number | null
  reason: string | null
  createdAt: Date
}

/** A channel that gets messages, with its secret. */
export interface OpenChannel {
  id: number
  kind: ChannelKind
  target: string
  /** For lists: the address, or the host of the URL. */
  host: string
}

const maxChannels = 20
export const confirmHours = 24
/** Each can send an email to an address that did not ask for it. */
const changeLimits = { perMinute: 10, perDay: 100 }

export async function listChannels(db: Database, accountId: number): Promise<ListedChannel[]> {
  const { rows } = await sql<
    Omit<ListedChannel, 'last'> & { last: Omit<LastMessage, 'createdAt'> & { createdAt: string } }
  >`
    SELECT id, kind, name, coalesce(address, host) AS target, kind_groups AS groups, mode, created_at,
           confirmed_at IS NOT NULL AS is_confirmed, last
    FROM notice_channels AS channels
    LEFT JOIN LATERAL (
      SELECT jsonb_build_object('state', state, 'isTest', is_test, 'responseCode', response_code, 'reason', reason,
                                'createdAt', messages.created_at) AS last
      FROM notice_messages AS messages
      WHERE messages.account_id = channels.account_id AND messages.channel_id = channels.id
      ORDER BY messages.id DESC LIMIT 1
    ) AS newest ON true
    WHERE account_id = ${accountId} ORDER BY id
  `.execute(db)
  return rows.map(({ last, ...channel }) => ({
    ...channel,
    last: last === null ? null : { ...last, createdAt: new Date(last.createdAt) },
  }))
}

interface Manager {
  accountId: number
  loginId: number
}

/** Creates a channel. For an email, also returns the token of the link that confirms it. */
export async function createChannel(
  db: Database,
  vault: Vault,
  { accountId, loginId }: Manager,
  { kind, name, target, groups, mode }: NewChannel,
): Promise<{ id: number; token: string | undefined }> {
  if (kind === 'email') validateEmail(target)
  return db.transaction().execute(async (trx) => {
    await countChange(trx, accountId, 'channels', changeLimits)
    await rejectTooMany(trx, accountId)
    const token = kind === 'email' ? randomBytes(32).toString('base64url') : undefined
    const { id } = await trx
      .insertInto('noticeChannels')
      .values({
        accountId,
        kind,
        name,
        ...(kind === 'email'
          ? { address: target }
          : { url: vault.seal(target, sealContext(accountId)), host: new URL(target).host }),
        kindGroups: [...groups],
        mode,
        createdBy: loginId,
        ...(token === undefined ? { confirmedAt: sql<Date>`now()` } : openConfirmation(vault, token)),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        throw isUniqueViolation(error)
          ? new ApiError('parameterInvalid', 'This address is already a channel of the account.', {
              field: 'target',
            })
          : error
      })
    await audit(trx, accountId, `login:${loginId}`, 'channel.create', id, { kind, name })
    return { id, token }
  })
}

async function rejectTooMany(trx: Trx, accountId: number): Promise<void> {
  // The row of the limit on changes is locked, so two calls cannot both pass.
  const { count } = await trx
    .selectFrom('noticeChannels')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  if (count >= maxChannels)
    throw new ApiError('tooManyChannels', 'Channel limit reached. Delete one first.', {
      details: { limit: maxChannels },
    })
}

export async function changeChannel(
  db: Database,
  { accountId, loginId }: Manager,
  id: number,
  { name, groups, mode }: { [Name in keyof ChannelSettings]?: ChannelSettings[Name] | undefined },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('noticeChannels')
      .set({
        ...(name !== undefined && { name }),
        ...(groups !== undefined && { kindGroups: [...groups] }),
        ...(mode !== undefined && { mode }),
        accountId,
      })
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw channelNotFound(id)
    await audit(trx, accountId, `login:${loginId}`, 'channel.change', id)
  })
}

/** Messages to it that are queued are deleted with it. Returns false if there is none. */
export async function deleteChannel(
  db: Database,
  actor: Actor,
  accountId: number,
  id: number,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const deleted = await trx
      .deleteFrom('noticeChannels')
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .returning(['kind', 'name'])
      .executeTakeFirst()
    if (deleted === undefined) return false
    await audit(trx, accountId, actor, 'channel.delete', id, { kind: deleted.kind, name: deleted.name })
    return true
  })
}

/** Creates a new link for an address that is not confirmed. The previous link stops working. */
export async function renewConfirmation(
  db: Database,
  vault: Vault,
  { accountId }: Manager,
  id: number,
): Promise<{ address: string; token: string }> {
  const token = randomBytes(32).toString('base64url')
  return db.transaction().execute(async (trx) => {
    await countChange(trx, accountId, 'channels', changeLimits)
    const renewed = await trx
      .updateTable('noticeChannels')
      .set(openConfirmation(vault, token))
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .where('confirmedAt', 'is', null)
      .returning('address')
      .executeTakeFirst()
    if (renewed === undefined || renewed.address === null) throw channelNotFound(id)
    return { address: renewed.address, token }
  })
}

/** Returns the account and the address of a link that can be used. */
export async function findConfirmation(
  db: Database,
  vault: Vault,
  token: string,
): Promise<{ accountName: string; address: string } | undefined> {
  return db
    .selectFrom('noticeChannels')
    .innerJoin('accounts', 'accounts.id', 'noticeChannels.accountId')
    .select(['accounts.name as accountName', sql<string>`address`.as('address')])
    .where('confirmDigest', '=', digestOf(vault, token))
    .where(sql<boolean>`confirm_until > now()`)
    .executeTakeFirst()
}

/** Confirms an address. A link works once. Returns false if it does not work. */
export async function confirmChannel(db: Database, vault: Vault, token: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const confirmed = await trx
      .updateTable('noticeChannels')
      .set({ confirmedAt: sql<Date>`now()`, confirmDigest: null, confirmUntil: null })
      .where('confirmDigest', '=', digestOf(vault, token))
      .where(sql<boolean>`confirm_until > now()`)
      .returning(['accountId', 'id'])
      .executeTakeFirst()
    if (confirmed === undefined) return false
    await audit(trx, confirmed.accountId, 'visitor', 'channel.confirm', confirmed.id)
    return true
  })
}

/** Returns a channel that may get messages. */
export async function readOpenChannel(
  db: Database,
  vault: Vault,
  accountId: number,
  id: number,
): Promise<OpenChannel | undefined> {
  const found = await db
    .selectFrom('noticeChannels')
    .innerJoin('accounts', 'accounts.id', 'noticeChannels.accountId')
    .select(['noticeChannels.id', 'kind', 'address', 'url', 'host'])
    .where('accountId', '=', accountId)
    .where('noticeChannels.id', '=', id)
    .where('confirmedAt', 'is not', null)
    .where('accounts.suspendedAt', 'is', null)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { address, url, host } = found
  const target = url === null ? (address ?? '') : vault.open(url, sealContext(accountId))
  return { id, kind: found.kind as ChannelKind, target, host: address ?? host ?? '' }
}

export function channelNotFound(id: number): ApiError {
  return new ApiError('notFound', `Channel ${id} not found.`)
}

function openConfirmation(vault: Vault, token: string) {
  return {
    confirmDigest: digestOf(vault, token),
    confirmUntil: sql<Date>`now() + make_interval(hours => ${sql.lit(confirmHours)})`,
  }
}

function audit(
  trx: Trx,
  accountId: number,
  actor: Actor,
  action: 'channel.create' | 'channel.change' | 'channel.delete' | 'channel.confirm',
  id: number,
  detail: { kind?: string; name?: string } = {},
): Promise<void> {
  return recordAudit(trx, { accountId, actor, action, subject: `channel:${id}`, detail })
}

function digestOf(vault: Vault, token: string): Buffer {
  return vault.digest(token, 'notice-channel')
}

function sealContext(accountId: number): string {
  return `notice-channel:${accountId}`
}
