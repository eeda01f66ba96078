import { readFileSync } from 'node:fs'
import { verifyWebhook } from './webhook.mjs'
import { verifyXSignature } from './x-signature.mjs'

for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
  const fields = line.split(' ').map((field) => Buffer.from(field, 'base64').toString())
  const [secret, signingKey, method, url, body, content, lines] = fields
  const headers = Object.fromEntries(lines.split('\n').map((header) => header.split(/: (.*)/, 2)))
  console.log(
    verifyWebhook(secret, headers, content),
    verifyXSignature(signingKey, headers, method, url, body),
  )
}
