/** An SMTP server that requires a password and stores received mail for the test to read. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  raw: string
  /** The body, decoded. */
  text: string
}

export interface MailServer {
  /** For SMTP_URL. */
  url: string
  user: string
  password: string
  mails: ReceivedMail[]
  mailsTo: (address: string) => ReceivedMail[]
  /** Blocks every sender until the returned function is called. */
  hold: () => () => void
  /** Rejects mail, or accepts it again. */
  reject: (isRejecting: boolean) => void
  /** Returns the number of connections so far. */
  connections: () => number
  close: () => Promise<void>
}

export async function startMailServer(host = '127.0.0.1'): Promise<MailServer> {
  const user = 'hookline'
  const password = 'p@ss/word:of+smtp'
  const mails: ReceivedMail[] = []
  let held: Promise<void> = Promise.resolve()
  let isRejecting = false
  let connections = 0
  const decide = async (done: (rejection: Error | null) => void): Promise<void> => {
    await held
    done(isRejecting ? new Error('not today') : null)
  }
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onConnect(_session, done) {
      connections++
      done()
    },
    onAuth(auth, _session, done) {
      if (auth.username === user && auth.password === password) done(null, { user })
      else done(new Error('wrong password'))
    },
    onMailFrom(_address, _session, done) {
      void decide(done)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          text: bodyOf(raw),
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://${user}:${encodeURIComponent(password)}@${host}:${port}`,
    user,
    password,
    mails,
    mailsTo: (address) => mails.filter(({ to }) => to.includes(address)),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    reject: (requested) => (isRejecting = requested),
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Decodes quoted-printable (RFC 2045), which mailers use for long lines of plain text. */
function bodyOf(raw: string): string {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (!/^content-transfer-encoding: quoted-printable$/im.test(head)) return body
  return body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
