/** The link of an invitation, as the email has it. */
import { expect } from 'vitest'
import type { MailServer } from '../../../server/test/support/servers/mail-server.ts'

/** Waits for that many emails, and returns the link of the last one. */
export async function linkTo(mail: MailServer, email: string, count = 1): Promise<string> {
  await expect.poll(() => mail.mailsTo(email).length, { timeout: 15_000 }).toBe(count)
  const link = /\S+\/join#token=\S+/.exec(mail.mailsTo(email).at(-1)?.text ?? '')?.[0]
  if (link === undefined) throw new Error(`no link in the email to ${email}`)
  return link
}
