/** Starts an SMTP server that accepts and discards all email, such as password reset links. */
import { type AddressInfo, createServer } from 'node:net'

export async function startMailSink(): Promise<{ url: string; close: () => void }> {
  const server = createServer((socket) => {
    let isData = false
    let tail = ''
    socket.on('error', () => {})
    socket.write('220 sink\r\n')
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      // The end of an email may arrive in two chunks.
      tail = (tail + text).slice(-5)
      if (isData && tail !== '\r\n.\r\n') return
      isData = /^DATA/i.test(text)
      socket.write(isData ? '354 go on\r\n' : '250 OK\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  }
}
