/** Starts an SMTP server that counts the emails that it accepts by their `Message-ID`, and responds after a while. */
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

export async function startMailCounter(responseMs: number) {
  const ids = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      const count = async () => {
        const id = /^message-id: (\S+)/im.exec(Buffer.concat(chunks).toString('latin1'))?.[1] ?? ''
        ids.set(id, (ids.get(id) ?? 0) + 1)
        await sleep(responseMs)
        done()
      }
      stream.on('end', () => void count())
    },
  })
  // Killed workers break their connections.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    /** Times that each email arrived. */
    ids: ids as ReadonlyMap<string, number>,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
