/**
 * Receivers in a process of their own, so that they do not slow the load down or are slowed by it. Started by
 * receivers.ts, told by messages what to do, ends with whoever started it.
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { Answers, Behaviour, NumberedAnswer, NumberedOrder, Order } from './receiver-orders.ts'
import { createRequestLog } from './request-log.ts'

interface Host {
  address: string
  port: number
  server: Server
}

const log = createRequestLog()
const hosts: Host[] = []
const hostOfSocket = new WeakMap<Socket, number>()
const sockets = new Set<Socket>()
/** Those with a request that is not answered. */
const busy = new WeakSet<Socket>()
let behaviour: Behaviour = { status: 204, afterMs: 0 }
const events = new Set<string>()

/** One parser of HTTP for all hosts; each host hands it the connections it gets. */
const http = createHttpServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, receive)

function receive(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request
  const eventId = String(headers['webhook-id'])
  events.add(eventId)
  const place = log.arrived(eventId, Number(headers['x-hookline-hook']), hostOfSocket.get(socket) ?? -1)
  request.resume()
  let isOver = false
  const end = (status: number): void => {
    if (isOver) return
    isOver = true
    log.ended(place, status)
  }
  busy.add(socket)
  response.once('close', () => {
    busy.delete(socket)
    end(0)
  })
  if (behaviour === 'never') return
  const { afterMs, failureRatio = 0 } = behaviour
  const status = Math.random() < failureRatio ? 503 : behaviour.status
  const answer = (): void => {
    if (isOver) return
    // Ended before the answer leaves: the next request can only come after it, and is not counted beside it.
    end(status)
    response.writeHead(status).end()
  }
  if (afterMs === 0) answer()
  else setTimeout(answer, afterMs)
}

async function listen(firstAddress: string, wanted: number): Promise<string[]> {
  const urls: string[] = []
  for (let count = 0; count < wanted; count++) {
    const place = hosts.length
    const address = addressAfter(firstAddress, count)
    const server = createServer((socket) => {
      hostOfSocket.set(socket, place)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      http.emit('connection', socket)
    })
    await open(server, address, 0)
    const { port } = server.address() as AddressInfo
    hosts.push({ address, port, server })
    urls.push(`http://${address}:${port}`)
  }
  return urls
}

function open(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: 1_024 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function addressAfter(first: string, count: number): string {
  const [a = 127, b = 0, c = 0, d = 1] = first.split('.').map(Number)
  const last = d - 1 + count
  // Neither .0 nor .255, which some resolvers and rules treat differently.
  return [a, b, c + Math.floor(last / 254), 1 + (last % 254)].join('.')
}

/** A thread that listens and then stands still for good: nobody accepts what the kernel has queued for it. */
const deafListener = `
  const { createServer } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const server = createServer()
  server.listen({ host: workerData, port: 0, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
`

async function listenDeaf(address: string): Promise<string[]> {
  const thread = new Worker(deafListener, { eval: true, workerData: address })
  const port = await new Promise<number>((resolve) => thread.once('message', resolve))
  for (;;) if (!(await canConnect(address, port))) return [`http://${address}:${port}`]
}

/** What connects stays connected, and takes a place in the queue. */
async function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    const timer = setTimeout(() => {
      socket.destroy()
      resolve(false)
    }, 300)
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

async function refuse(isRefusing: boolean): Promise<number> {
  if (isRefusing) {
    const closed = hosts.map(({ server }) => new Promise((resolve) => server.close(resolve)))
    // What is being answered is answered; then the connection ends, for there is no host any more.
    while (sockets.size > 0) {
      for (const socket of sockets) if (!busy.has(socket)) socket.destroy()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await Promise.all(closed)
  } else for (const { server, address, port } of hosts) await open(server, address, port)
  return Date.now()
}

async function obey(order: Order): Promise<Answers[keyof Answers]> {
  switch (order.order) {
    case 'listen':
      return listen(order.firstAddress, order.hosts)
    case 'listen deaf':
      return listenDeaf(order.address)
    case 'behave':
      ;({ behaviour } = order)
      return Date.now()
    case 'refuse':
      return refuse(order.isRefusing)
    case 'count':
      return events.size
    case 'report':
      return log.columns()
  }
}

function answerParent(answer: NumberedAnswer): void {
  process.send?.(answer)
}

process.on('message', ({ number, order }: NumberedOrder) => {
  obey(order).then(
    (answer) => answerParent({ number, answer }),
    (error: unknown) => answerParent({ number, error: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
// An interrupt at the terminal reaches the whole group; the one who started us decides when we end.
process.on('SIGINT', () => {})
