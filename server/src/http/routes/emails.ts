/** Emails to users. */
import type { Mailer } from '../../runtime/mail.ts'
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
      `To join, open this link within ${days} days. It works once:`,
      link,
      'If you do not know the sender, ignore this email.',
    ].join('\n\n'),
  }
}

/** Mail programs turn text such as "example.com" into links, and accounts choose their names. */
function withoutLinks(name: string): string {
  return name.replaceAll(/[.:/@]+/g, ' ').trim()
}

const changes = {
  password: 'has a new password. Existing sessions were signed out',
  email: 'has a new email. Hookline sends no more emails to this address',
  secondFactorOn: 'now uses two-factor authentication',
  secondFactorOff: 'no longer uses two-factor authentication',
}

/** Notifies the user of a change to the login. Without a verified email it does nothing. */
export function sendSecurityAlert(
  mail: Mailer | undefined,
  { alias, email }: { alias: string; email: string | null },
  change: keyof typeof changes,
  { ip, baseUrl }: { ip: string; baseUrl: URL },
): void {
  if (email === null) return
  mail?.send({
    to: email,
    subject: 'Security alert: your account changed',
    text: [
      `The login "${alias}" at ${baseUrl.origin} ${changes[change]}.`,
      `Time: ${new Date().toISOString()}. IP address: ${ip}.`,
      `If this was not you, reset your password now: ${new URL('/forgot-password', baseUrl).href}`,
    ].join('\n\n'),
  })
}
