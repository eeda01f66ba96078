import type { SignedRequest } from './request.ts'

type Values<Value> = Record<string, Value | undefined> | null

/** The event of AWS Lambda behind an API gateway, a load balancer or a function URL, version 1 or 2. */
export interface LambdaEvent {
  body?: string | null
  isBase64Encoded?: boolean
  headers?: Values<string>
  /** Of a load balancer in place of `headers`, if it is set up so. */
  multiValueHeaders?: Values<string[]>
  httpMethod?: string
  rawQueryString?: string
  queryStringParameters?: Values<string>
  requestContext?: { http?: { method?: string } }
}

export function readLambda(event: LambdaEvent): SignedRequest {
  const { body, isBase64Encoded, headers, multiValueHeaders, requestContext } = event
  const parameters = Object.entries(event.queryStringParameters ?? {}).map(
    ([name, value = '']): [string, string] => [name, value],
  )
  return {
    method: requestContext?.http?.method ?? event.httpMethod ?? 'POST',
    query: event.rawQueryString ?? new URLSearchParams(parameters).toString(),
    headers: headers ?? multiValueHeaders ?? {},
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  }
}
