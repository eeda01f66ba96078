/** The texts of the mails that people get. */
import type { Letter, Mail } from '../ops/mail.ts'

interface Addressee {
  alias: string
  email: string
}

/** To an email that somebody says is theirs. */
export function verificationMail({ alias, email }: Addressee, link: string, hours: number): Letter {
  return {
    to: email,
    subject: 'Confirm your email for Hookline',
    text: [
      `Somebody gave this email for the login "${alias}".`,
      `If it was you, sign in and open this link within ${hours} hours:`,
      link,
      'If it was not you, do nothing: the login cannot use this email.',
    ].join('\n\n'),
  }
}

export function linkMail({ alias, email }: Addressee, link: string, minutes: number): Letter {
  return {
    to: email,
    subject: 'A new password for Hookline',
    text: [
      `Somebody asked for a new password for the login "${alias}".`,
      `If it was you, open this link within ${minutes} minutes. It works once:`,
      link,
      'If it was not you, do nothing: your password stays as it is.',
    ].join('\n\n'),
  }
}

const changes = {
  password: 'has a new password, and everybody who was signed in with the old one is signed out',
  email: 'has a new e-mail address; mail no longer goes to this one',
  secondFactorOn: 'now asks for a code from an authenticator app when somebody signs in',
  secondFactorOff: 'no longer asks for a code when somebody signs in',
}

/** Tells the owner of a login what was changed, in case it was somebody else. Only a verified email is told. */
export function sendNotice(
  mail: Mail | undefined,
  { alias, email }: { alias: string; email: string | null },
  change: keyof typeof changes,
  { ip, baseUrl }: { ip: string; baseUrl: URL },
): void {
  if (email === null) return
  mail?.send({
    to: email,
    subject: 'Your Hookline login was changed',
    text: [
      `The login "${alias}" at ${baseUrl.origin} ${changes[change]}.`,
      `This was done at ${new Date().toISOString()} from the IP address ${ip}.`,
      `If it was not you, set a new password at once: ${new URL('/forgotten', baseUrl).href}`,
    ].join('\n\n'),
  })
}
