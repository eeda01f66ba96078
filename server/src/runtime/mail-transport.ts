/** Sends email through the operator's SMTP server: the connection, its encryption and its timeouts. */
import { createTransport } from 'nodemailer'

export interface Email {
  to: string
  subject: string
  text: string
  html?: string
  /** Without one, each attempt has its own. */
  messageId?: string
  headers?: Record<string, string>
}

export interface MailTransport {
  /** Resolves once the server has accepted the email. */
  deliver: (email: Email) => Promise<void>
  close: () => void
}

export interface MailSettings {
  smtpUrl: URL
  mailFrom: string
  /** Envelope sender, which gets reports of bounced emails. */
  mailReturnPath?: string | undefined
}

const timeoutMs = 10_000

export function createMailTransport({ smtpUrl, mailFrom, mailReturnPath }: MailSettings): MailTransport {
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
  return {
    async deliver({ to, headers, ...content }) {
      await transport.sendMail({
        ...content,
        from: mailFrom,
        // As an object: a string could be parsed as several addresses.
        to: { name: '', address: to },
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        ...(mailReturnPath !== undefined && { envelope: { from: mailReturnPath, to } }),
      })
    },
    close: () => transport.close(),
  }
}

/** Removes the brackets of an IPv6 address. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function isLoopback(url: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(hostOf(url))
}
