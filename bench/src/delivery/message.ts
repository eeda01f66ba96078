/** Builds the message that all systems send: a signed POST of 1 KiB, in Hookline's format. */
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import type { Event } from '../../../server/src/model/event.ts'
import { formatRequest } from '../../../server/src/delivery/request/format.ts'
import { signatureHeaders } from '../../../server/src/delivery/request/sign.ts'

export interface Message {
  id: string
  headers: Record<string, string>
  body: string
}

const bodyBytes = 1_024

/** Returns a signed message, ready to send. Job queues carry it as the payload, because they do not sign. */
export function signedMessage(url: string): Message {
  const id = randomUUID()
  const body = bodyOf(eventWith(paddedData()))
  const keys = {
    hookSecrets: [createSecretKey(randomBytes(32))],
    signingKeys: [createSecretKey(randomBytes(32))],
  }
  const headers = {
    'user-agent': 'Hookline',
    'content-type': 'application/json',
    ...signatureHeaders(keys, {
      eventId: id,
      method: 'POST',
      signedUrl: url,
      content: body,
      body,
      atSeconds: Math.floor(Date.now() / 1_000),
      nonce: randomBytes(16).toString('hex'),
    }),
    'x-hookline-hook': '1000000',
    'x-hookline-attempt': '1',
  }
  return { id, headers, body }
}

/** Returns event data padded so that the request body has exactly `bodyBytes`. */
export function paddedData(): string {
  return dataWith(randomBytes(paddingBytes).toString('base64').slice(0, paddingBytes))
}

const paddingBytes = bodyBytes - Buffer.byteLength(bodyOf(eventWith(dataWith(''))))

function dataWith(text: string): string {
  return JSON.stringify({
    id: randomBytes(8).toString('hex'),
    sender: '491700000001',
    system: '491700000002',
    text,
    time: '1731656400',
  })
}

function eventWith(data: string): Event {
  return { id: randomUUID(), accountId: 1, type: 'sms_mo', data, acceptedAt: new Date() }
}

function bodyOf(event: Event): string {
  const request = formatRequest('JSON', 'http://127.0.0.1/', event)
  return typeof request === 'string' ? '' : request.body
}
