/** An SMTP server that requires a password and stores received mail for the test to read. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  raw: string
  /** The body in plain text, decoded. */
  text: string
  /** The body in HTML, decoded. Empty if there is none. */
  html: string
  /** Returns a header of the mail, unfolded. */
  header: (name: string) => string | undefined
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
  /** Stores mail, but confirms none until the returned function is called. */
  holdConfirmations: () => () => void
  /** Rejects mail, or accepts it again. */
  reject: (isRejecting: boolean) => void
  /** Responds to mail for an address with an error code, or accepts it again. */
  respond: (address: string, code: number | undefined) => void
  /** Returns the number of connections so far. */
  connections: () => number
  close: () => Promise<void>
}

export async function startMailServer(host = '127.0.0.1', listenPort = 0): Promise<MailServer> {
  const user = 'hookline'
  const password = 'p@ss/word:of+smtp'
  const mails: ReceivedMail[] = []
  let held: Promise<void> = Promise.resolve()
  let confirming: Promise<void> = Promise.resolve()
  let isRejecting = false
  const codes = new Map<string, number>()
  let connections = 0
  const decide = async (done: (rejection: Error | null) => void): Promise<void> => {
    await held
    done(isRejecting ? new Error('not today') : null)
  }
  const confirm = async (done: () => void): Promise<void> => {
    await confirming
    done()
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
    onRcptTo({ address }, _session, done) {
      const code = codes.get(address)
      done(code === undefined ? null : Object.assign(new Error('not this one'), { responseCode: code }))
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
          text: bodyOf(raw, 'text/plain'),
          html: bodyOf(raw, 'text/html'),
          header: (name) => headerOf(raw, name),
        })
        void confirm(done)
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(listenPort, host, resolve))
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
    holdConfirmations() {
      const { promise, resolve } = Promise.withResolvers<void>()
      confirming = promise
      return resolve
    },
    reject: (requested) => (isRejecting = requested),
    respond(address, code) {
      if (code === undefined) codes.delete(address)
      else codes.set(address, code)
    },
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Returns the decoded body of a content type, of the mail or of one of its parts. */
function bodyOf(raw: string, type: string): string {
  const [, boundary] = /boundary="([^"]+)"/.exec(headerOf(raw, 'content-type') ?? '') ?? []
  const parts = boundary === undefined ? [raw] : raw.split(`--${boundary}`).slice(1, -1)
  const part = parts.find((candidate) => headerOf(candidate, 'content-type')?.startsWith(type))
  return part === undefined ? '' : decode(part)
}

function headerOf(raw: string, name: string): string | undefined {
  const [head = ''] = raw.trimStart().split('\r\n\r\n')
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ')
  return new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1]?.trimEnd()
}

/** Decodes quoted-printable and base64 (RFC 2045), which mailers use for long lines and other characters. */
function decode(part: string): string {
  const body = part.trimStart().split('\r\n\r\n').slice(1).join('\r\n\r\n')
  const encoding = headerOf(part, 'content-transfer-encoding')
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
