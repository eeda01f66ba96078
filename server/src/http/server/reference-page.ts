/** The API reference at `/docs`, as built with the dashboard. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { sendPage } from './html-page.ts'

export async function addReferencePage(app: FastifyInstance, folder: string): Promise<void> {
  const page = await readFile(`${folder}reference.html`, 'utf8').catch(() => undefined)
  for (const path of ['/docs', '/docs/'])
    app.get(path, async (_request, reply) => sendPage(reply, 200, page, referencePolicy))
}

/** Hashes of the `style` attributes in the markup of this Scalar version. A browser test detects others. */
const markupStyles = [
  'LGszelMz0+v6/EfEtNYVFCYH7w05IKqvd9gau6UXRbE=',
  'XqK6Y4W266x36wSb1aFftEZUzzu3BAFfRZgKByn0ols=',
  'C+b2AZ/J4boOKHreQGJqhTYrKcYHIi7jHP/al2HqTd8=',
]

/** Allows only scripts, styles and requests of this service. */
function referencePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `style-src-attr 'unsafe-hashes' ${markupStyles.map((hash) => `'sha256-${hash}'`).join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
