/**
 * Receives a request: reads it from the framework, verifies it, and returns its event. The bytes are read here, before a
 * framework parses them. If one already did, the error names it.
 */
import type { IncomingMessage } from 'node:http'
import { type CustomEventData, parse, UnreadableEvent, type WebhookEvent } from './parse.ts'
import { type LambdaEvent, readLambda } from './read-lambda.ts'
import { readNode, type RequestWithRaw } from './read-node.ts'
import { readWeb, type WebRequest } from './read-web.ts'
import { type ReceiveFailure, receiveFailure, tooLarge } from './receive-failure.ts'
import type { SignedRequest } from './request.ts'
import { type Keys, verify } from './verify.ts'

export type Received<Custom extends CustomEventData = never> =
  { isValid: true; event: WebhookEvent<Custom> } | ReceiveFailure

type AnyRequest = WebRequest | IncomingMessage | RequestWithRaw | LambdaEvent

export interface ReceiveOptions extends Keys {
  /** The URL that the webhook is registered with, to verify `x-signature`. */
  url?: string
  /** Larger than every event. */
  maxBytes?: number
}

const defaultMaxBytes = 2 * 1024 * 1024

/** Never throws for a request, not even if the connection is lost. */
export async function receive<Custom extends CustomEventData = never>(
  request: AnyRequest,
  options: ReceiveOptions,
): Promise<Received<Custom>> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes
  const read = await readRequest(request, maxBytes)
  if ('isValid' in read) return read
  if (read.body.length > maxBytes) return tooLarge(maxBytes)
  const signed = { ...read, ...(options.url !== undefined && { url: options.url }) }
  const verification = verify(signed, options)
  if (!verification.isValid) return { ...verification, status: verification.code === 'no_secret' ? 500 : 401 }
  try {
    return { isValid: true, event: parse<Custom>(signed) }
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error
    return receiveFailure('unreadable', error.message, 400)
  }
}

async function readRequest(request: AnyRequest, maxBytes: number): Promise<SignedRequest | ReceiveFailure> {
  if ('bodyUsed' in request) return readWeb(request, maxBytes)
  if ('raw' in request || 'httpVersion' in request) return readNode(request, maxBytes)
  return readLambda(request)
}
