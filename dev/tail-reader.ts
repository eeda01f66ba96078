/** Reads server-sent events as a browser does: keeps the last id and ignores incomplete messages. */
import { request } from 'node:http'

export interface Message {
  id: string
  event: string
  data: any // eslint-disable-line typescript/no-explicit-any -- the wire is untyped on purpose
}

export interface TailReader {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Returns the response body if the status is not 200. */
  body: () => string
  messages: Message[]
  /** Messages without a position: they may be repeated. */
  routes: Message[]
  comments: string[]
  lastId: () => string | undefined
  /** Stops reading from the network until `resume`. */
  pause: () => void
  resume: () => void
  /** Closes the connection immediately, even in the middle of a message. */
  cut: () => void
  /** Resolves when the connection has ended, by either side. */
  ended: Promise<void>
}

interface ReaderOptions {
  headers: Record<string, string>
  lastEventId?: string | undefined
  onMessage?: (message: Message) => void
}

export function openTail(url: string, options: ReaderOptions): Promise<TailReader> {
  const { lastEventId, onMessage } = options
  const headers = { ...options.headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) }
  const messages: Message[] = []
  const routes: Message[] = []
  const comments: string[] = []
  let lastId = lastEventId
  let text = ''
  let errorBody = ''

  function handleBlock(block: string): void {
    const fields = new Map<string, string>()
    for (const line of block.split('\n'))
      if (line.startsWith(':')) comments.push(line)
      else fields.set(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2))
    lastId = fields.get('id') ?? lastId
    const data = fields.get('data')
    if (data === undefined) return
    const message = { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) }
    if (message.event === 'route') {
      routes.push(message)
      return
    }
    messages.push(message)
    onMessage?.(message)
  }

  return new Promise((resolve, reject) => {
    const call = request(url, { headers, agent: false }, (response) => {
      const ended = new Promise<void>((end) => response.once('close', end))
      response.on('error', () => {})
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        if (response.statusCode !== 200) errorBody += chunk
        const blocks = (text + chunk).split('\n\n')
        text = blocks.pop() ?? ''
        if (response.statusCode === 200) for (const block of blocks) handleBlock(block)
      })
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: () => errorBody,
        messages,
        routes,
        comments,
        lastId: () => lastId,
        pause: () => response.pause(),
        resume: () => response.resume(),
        cut: () => call.destroy(),
        ended,
      })
    })
    call.on('error', reject)
    call.end()
  })
}
