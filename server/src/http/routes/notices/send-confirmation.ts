import { readAccountName } from '../../../identity/accounts/accounts.ts'
import { confirmHours } from '../../../notices/channels.ts'
import type { Mailer } from '../../../runtime/mail.ts'
import { confirmChannelPath } from '../../server/confirm-channel-route.ts'
import type { ApiDeps, SessionUser } from '../../operation/operation.ts'
import { channelConfirmationEmail } from '../emails.ts'

/** Sends the link that confirms an address. */
export async function sendConfirmation(
  { db, baseUrl }: ApiDeps,
  mail: Mailer,
  { accountId }: SessionUser,
  { address, token }: { address: string; token: string },
): Promise<void> {
  const link = new URL(confirmChannelPath, baseUrl)
  link.search = new URLSearchParams({ token }).toString()
  const accountName = await readAccountName(db, accountId)
  mail.send(channelConfirmationEmail({ address, accountName }, link.href, confirmHours))
}
