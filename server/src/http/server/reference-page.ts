/**
 * The API reference at `/docs`. Its inline scripts and stylesheets carry a nonce per response, so that the policy blocks
 * all other inline code.
 */
import { randomBytes } from 'node:crypto'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

/** Placeholder for the nonce, replaced in each response. Scalar accepts only one nonce for all responses. */
const noncePlaceholder = '%nonce%'

/**
 * Scalar adds stylesheets without the nonce and writes `style` attributes, both of which the policy blocks. This script
 * runs first: new stylesheets get the nonce, and an attribute is set by the style object, which the policy allows.
 */
const strictStyles = `<script nonce="${noncePlaceholder}">{
  const create = document.createElement
  document.createElement = function (...args) {
    const element = create.apply(document, args)
    if (element instanceof HTMLStyleElement) element.nonce = '${noncePlaceholder}'
    return element
  }
  const set = Element.prototype.setAttribute
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'style' && this.style) this.style.cssText = value
    else set.call(this, name, value)
  }
}</script>`

/** Links back to the dashboard, above the reference. Scalar leaves room for a header of this height. */
const header = `<style nonce="${noncePlaceholder}">
  :root { --scalar-custom-header-height: 44px }
  .hookline-header {
    position: sticky; top: 0; z-index: 100; display: flex; align-items: center; gap: 20px; box-sizing: border-box;
    height: var(--scalar-custom-header-height); padding: 0 24px; border-bottom: 1px solid var(--scalar-border-color);
    background: var(--scalar-background-1); font: 14px var(--scalar-font)
  }
  .hookline-header a { color: var(--scalar-color-1) }
</style>
<nav class="hookline-header" aria-label="Hookline"><a href="/">Dashboard</a><a href="/guides">Guides</a></nav>`

export async function addReferencePage(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onSend', async (_request, reply, payload) => {
      const nonce = randomBytes(16).toString('base64')
      void reply.headers({ 'cache-control': 'no-cache', 'content-security-policy': referencePolicy(nonce) })
      const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
      if (!isPage || typeof payload !== 'string') return payload
      return payload
        .replace('</head>', `${strictStyles}</head>`)
        .replace('<body>', `<body>${header}`)
        .replaceAll(noncePlaceholder, nonce)
    })
    await scope.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Hookline API reference',
        nonce: noncePlaceholder,
        withDefaultFonts: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    })
  })
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
