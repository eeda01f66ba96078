/**
 * Sends plain-text email through the operator's SMTP server. Sending happens after the response. A failure is logged
 * without address or text. A user who gets no email requests another.
 */
import { createTransport } from 'nodemailer'
import { createBackgroundTasks } from './background-tasks.ts'

export interface Email {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  send: (email: Email) => void
  stop: () => Promise<void>
}

const timeoutMs = 10_000

export function createMailer(
  { smtpUrl, mailFrom }: { smtpUrl: URL; mailFrom: string },
  onError: (error: unknown) => void,
): Mailer {
  const transport = createTransport({
    host: hostOf(smtpUrl),
    port: Number(smtpUrl.port) || (smtpUrl.protocol === 'smtps:' ? 465 : 587),
    secure: smtpUrl.protocol === 'smtps:',
    // A password reset link must not cross a network unencrypted.
    requireTLS: smtpUrl.protocol === 'smtp:' && !isLoopback(smtpUrl),
    ignoreTLS: isLoopback(smtpUrl),
    ...(smtpUrl.username !== '' && {
      auth: { user: decodeURIComponent(smtpUrl.username), pass: decodeURIComponent(smtpUrl.password) },
    }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const tasks = createBackgroundTasks(onError)
  return {
    send: ({ to, subject, text }) =>
      tasks.run(() =>
        transport.sendMail({
          from: mailFrom,
          // As an object: a string could be parsed as several addresses.
          to: { name: '', address: to },
          subject,
          text,
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
      ),
    async stop() {
      await tasks.stop()
      transport.close()
    },
  }
}

/** Removes the brackets of an IPv6 address. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function isLoopback(url: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(hostOf(url))
}
