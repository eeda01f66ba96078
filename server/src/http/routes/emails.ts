/** Emails to users. */
import type { Email } from '../../runtime/mail-transport.ts'

interface Recipient {
  alias: string
  email: string
}

/** Asks to confirm an email that a login has entered. */
export function verificationEmail({ alias, email }: Recipient, link: string, hours: number): Email {
  return {
    to: email,
    subject: 'Confirm your email for Hookline',
    text: [
      `This email was entered for the login "${alias}".`,
      `If this was you, sign in and open this link within ${hours} hours:`,
      link,
      'If this was not you, ignore this email. The login cannot use your email without the link.',
    ].join('\n\n'),
  }
}

export function passwordResetEmail({ alias, email }: Recipient, link: string, minutes: number): Email {
  return {
    to: email,
    subject: 'Reset your Hookline password',
    text: [
      `A password reset was requested for the login "${alias}".`,
      `If this was you, open this link within ${minutes} minutes. It works once:`,
      link,
      'If this was not you, ignore this email. Your password does not change.',
    ].join('\n\n'),
  }
}

export function invitationEmail(
  invitation: { email: string; accountName: string; invitedBy: string; role: string },
  link: string,
  days: number,
): Email {
  const { email, accountName, invitedBy, role } = invitation
  return {
    to: email,
    subject: 'Invitation to an account at Hookline',
    text: [
      `"${withoutLinks(invitedBy)}" invites you to the account "${withoutLinks(accountName)}" with the role ${role}.`,
      `To join with a new or an existing login, open this link within ${days} days. It works once:`,
      link,
      'If you do not know the sender, ignore this email.',
    ].join('\n\n'),
  }
}

/** Asks the holder of an address to confirm that it gets notices of an account. */
export function channelConfirmationEmail(
  { address, accountName }: { address: string; accountName: string },
  link: string,
  hours: number,
): Email {
  return {
    to: address,
    subject: 'Confirm notices from Hookline',
    text: [
      `This address was entered for notices about webhooks of the account "${withoutLinks(accountName)}".`,
      `To get them, open this link within ${hours} hours. It works once:`,
      link,
      'If you do not know the account, ignore this email. You will get no other emails about it.',
    ].join('\n\n'),
  }
}

/** Mail programs turn text such as "example.com" into links, and accounts choose their names. */
function withoutLinks(name: string): string {
  return name.replaceAll(/[.:/@]+/g, ' ').trim()
}
