/** Calls with credentials in every location, sent over a raw socket. */
import { expect } from 'vitest'
import { rawRequest } from './raw-socket.ts'

export type Values = Record<string, string>

interface CredentialResponse {
  status: number
  headers: Headers
  json: any // eslint-disable-line typescript/no-explicit-any -- the wire is untyped on purpose
}

/**
 * Checks for `200` or for status and code of an error. Every error has the envelope, and every 401 has a challenge.
 * A missing scope has a challenge only for tokens (RFC 6750, 3.1).
 */
export function expectOutcome(response: CredentialResponse, outcome: string, label: string): void {
  const [status, code] = outcome.split('/').map(Number)
  expect(`${response.status}/${response.json?.code}`, label).toBe(`${status}/${code ?? null}`)
  if (code === undefined) expect(response.json, label).toMatchObject({ success: true })
  else
    expect(response.json, label).toEqual({
      success: false,
      code,
      error_message: expect.stringMatching(/^[A-Z]/),
    })
  const challenge = response.headers.get('www-authenticate')
  if (status === 401) expect(challenge, label).toMatch(/^Bearer realm="hookline"/)
  else if (response.json?.error_message?.startsWith('Missing scope: this access token lacks'))
    expect(challenge, label).toBe('Bearer realm="hookline", error="insufficient_scope", scope="hooks"')
  else expect(challenge, label).toBeNull()
}

/**
 * Sends one call on a new connection. `sent` contains header lines, `?query`, `form …`, `json …` (members of the object)
 * and `/path`, joined by ` + `. `{name}` is a placeholder for an entry of `values`.
 */
export async function send(
  url: string,
  verb: string,
  sent: string,
  values: Values,
  params: Record<string, string> = {},
): Promise<CredentialResponse> {
  const pieces = sent.split(' + ').filter((piece) => piece !== '')
  const piece = (start: string) => pieces.find((part) => part.startsWith(start))
  const query = fill(piece('?') ?? '', values, encodeURIComponent, percentEncode)
  const json = piece('json ')?.slice(5)
  const form = piece('form ')?.slice(5) ?? ''
  const body = json === undefined ? formBody(form, values, params) : jsonBody(json, values, params)
  const head = [
    `${verb} ${piece('/') ?? '/api/hooks'}${query} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...(body === ''
      ? []
      : [
          `Content-Type: application/${json === undefined ? 'x-www-form-urlencoded' : 'json'}`,
          `Content-Length: ${Buffer.byteLength(body)}`,
        ]),
    ...pieces
      .filter((part) => !/^(\?|\/|form |json )/.test(part))
      .map((line) => fill(line.replaceAll('·', ' '), values, String, percentEncode)),
  ]
  // Latin-1 sends each header character above 127 as one byte.
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)])
  const received = await rawRequest(url, bytes)
  const end = received.indexOf('\r\n\r\n')
  const [statusLine = '', ...responseLines] = received.slice(0, end).split('\r\n')
  const headers = new Headers()
  for (const line of responseLines) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  return { status, headers, json: JSON.parse(received.slice(end + 4)) }
}

/** Calls with a key and one X-Forwarded-For line per value. */
export function callFrom(url: string, forwarded: string[], key: string): Promise<CredentialResponse> {
  const lines = forwarded.map((value) => `X-Forwarded-For: ${value}`)
  return send(url, 'GET', ['X-Api-Key: {key}', ...lines].join(' + '), { key })
}

function formBody(form: string, values: Values, params: Record<string, string>): string {
  const credentials = fill(form, values, encodeURIComponent, percentEncode)
  return [new URLSearchParams(params).toString(), credentials].filter((part) => part !== '').join('&')
}

function jsonBody(members: string, values: Values, params: Record<string, string>): string {
  const credentials = fill(members, values, (value) => JSON.stringify(value).slice(1, -1), unicodeEscape)
  const rest = JSON.stringify(params).slice(1, -1)
  return `{${[rest, credentials].filter((part) => part !== '').join(',')}}`
}

/** Replaces `{name}` with its value, encoded for its location, and `{name%}` with every byte encoded. */
function fill(
  text: string,
  values: Values,
  encode: (value: string) => string,
  encodeAll: (value: string) => string,
): string {
  return text.replace(/\{(\w+)(%?)\}/g, (_, name: string, all: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`unknown placeholder ${name}`)
    return all === '' ? encode(value) : encodeAll(value)
  })
}

function percentEncode(value: string): string {
  return Buffer.from(value).toString('hex').replace(/../g, '%$&')
}

function unicodeEscape(value: string): string {
  const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
