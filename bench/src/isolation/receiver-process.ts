/**
 * Receivers in a separate process, so that they and the load generator do not slow each other down. `receivers.ts`
 * starts the process and sends commands. It exits with its parent.
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { Responses, Behavior, NumberedResponse, NumberedCommand, Command } from './receiver-commands.ts'
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
/** Sockets with a request in flight. */
const busy = new WeakSet<Socket>()
let behavior: Behavior = { status: 204, afterMs: 0 }
const events = new Set<string>()

/** HTTP server for all hosts. Each host passes its connections to it. */
const http = createHttpServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, receive)

function receive(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request
  const eventId = String(headers['webhook-id'])
  events.add(eventId)
  const index = log.arrived(eventId, Number(headers['x-hookline-hook']), hostOfSocket.get(socket) ?? -1)
  request.resume()
  let isFinished = false
  const end = (status: number): void => {
    if (isFinished) return
    isFinished = true
    log.ended(index, status)
  }
  busy.add(socket)
  response.once('close', () => {
    busy.delete(socket)
    end(0)
  })
  if (behavior === 'never') return
  const { afterMs, failureRatio = 0 } = behavior
  const status = Math.random() < failureRatio ? 503 : behavior.status
  const respond = (): void => {
    if (isFinished) return
    // Records the end before the response is sent, so that the next request does not count as concurrent.
    end(status)
    response.writeHead(status).end()
  }
  if (afterMs === 0) respond()
  else setTimeout(respond, afterMs)
}

async function listen(firstAddress: string, requested: number): Promise<string[]> {
  const urls: string[] = []
  for (let count = 0; count < requested; count++) {
    const index = hosts.length
    const address = addressAfter(firstAddress, count)
    const server = createServer((socket) => {
      hostOfSocket.set(socket, index)
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
  // Skips .0 and .255, which some resolvers and rules treat differently.
  return [a, b, c + Math.floor(last / 254), 1 + (last % 254)].join('.')
}

/** A thread that listens and then blocks forever, so that queued connections are never accepted. */
const blackHoleListener = `
  const { createServer } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const server = createServer()
  server.listen({ host: workerData, port: 0, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
`

async function listenBlackHole(address: string): Promise<string[]> {
  const thread = new Worker(blackHoleListener, { eval: true, workerData: address })
  const port = await new Promise<number>((resolve) => thread.once('message', resolve))
  for (;;) if (!(await canConnect(address, port))) return [`http://${address}:${port}`]
}

/** Returns whether a connection completes. The connection stays open and occupies a slot in the accept queue. */
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
    // Waits for responses in flight before it closes their connections.
    while (sockets.size > 0) {
      for (const socket of sockets) if (!busy.has(socket)) socket.destroy()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await Promise.all(closed)
  } else for (const { server, address, port } of hosts) await open(server, address, port)
  return Date.now()
}

async function handleCommand(command: Command): Promise<Responses[keyof Responses]> {
  switch (command.name) {
    case 'listen':
      return listen(command.firstAddress, command.hosts)
    case 'listen black hole':
      return listenBlackHole(command.address)
    case 'behave':
      ;({ behavior } = command)
      return Date.now()
    case 'refuse':
      return refuse(command.isRefusing)
    case 'count':
      return events.size
    case 'report':
      return log.columns()
  }
}

function replyToParent(response: NumberedResponse): void {
  process.send?.(response)
}

process.on('message', ({ number, command }: NumberedCommand) => {
  handleCommand(command).then(
    (response) => replyToParent({ number, result: response }),
    (error: unknown) => replyToParent({ number, error: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
// Ctrl-C signals the whole process group. The parent decides when this process exits.
process.on('SIGINT', () => {})
