/**
 * Mail to people, in plain text, through the operator's SMTP server. Nobody waits for it: it is sent after the answer that
 * caused it, and a failure is logged without address or text. Whoever waits in vain asks again.
 */
import { createTransport } from 'nodemailer'
import { createAfterwards } from './afterwards.ts'

export interface Letter {
  to: string
  subject: string
  text: string
}

export interface Mail {
  send: (letter: Letter) => void
  stop: () => Promise<void>
}

const timeoutMs = 10_000

export function createMail(
  { smtpUrl, mailFrom }: { smtpUrl: URL; mailFrom: string },
  onError: (error: unknown) => void,
): Mail {
  const transport = createTransport({
    host: hostOf(smtpUrl),
    port: Number(smtpUrl.port) || (smtpUrl.protocol === 'smtps:' ? 465 : 587),
    secure: smtpUrl.protocol === 'smtps:',
    // A link that sets a password does not cross a network in clear.
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
  const afterwards = createAfterwards(onError)
  return {
    send: ({ to, subject, text }) =>
      afterwards.run(() =>
        transport.sendMail({
          from: mailFrom,
          // Not as a text, which could be read as several addresses.
          to: { name: '', address: to },
          subject,
          text,
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
      ),
    async stop() {
      await afterwards.stop()
      transport.close()
    },
  }
}

/** IPv6 stands in brackets in an address. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function isLoopback(url: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(hostOf(url))
}
