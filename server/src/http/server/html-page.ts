/** Sends built pages. Each response has its own nonce, and a content security policy that allows inline code only with it. */
import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const unbuiltPage = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Hookline</title></head>
  <body>
    <h1>The dashboard is not built</h1>
    <p>Run <code>npm run build:dashboard</code>, then restart Hookline. The API works without the dashboard. Its description is at <a href="/openapi.json">/openapi.json</a>.</p>
  </body>
</html>
`

/** Without a page, tells the reader how to build one. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  page: string | undefined,
  policy: (nonce: string) => string,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .status(page === undefined ? 503 : status)
    .headers({ 'cache-control': 'no-store', 'content-security-policy': policy(nonce) })
    .type('text/html; charset=utf-8')
    .send((page ?? unbuiltPage).replaceAll('%nonce%', nonce))
}
