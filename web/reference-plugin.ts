/**
 * Builds the API reference: `reference.html` and Scalar's script. The server needs no packages of Scalar, and sends the
 * script compressed.
 */
import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import type { Plugin } from 'vite'

/** Placeholder for the nonce. The server replaces it in each response. */
const nonce = '%nonce%'

/**
 * Scalar adds stylesheets without the nonce and writes `style` attributes, both of which the policy blocks. This script
 * runs first: new stylesheets get the nonce, and an attribute is set by the style object, which the policy allows.
 */
const strictStyles = `<script nonce="${nonce}">{
  const create = document.createElement
  document.createElement = function (...args) {
    const element = create.apply(document, args)
    if (element instanceof HTMLStyleElement) element.nonce = '${nonce}'
    return element
  }
  const set = Element.prototype.setAttribute
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'style' && this.style) this.style.cssText = value
    else set.call(this, name, value)
  }
}</script>`

/** Links back to the dashboard, above the reference. Scalar leaves room for a header of this height. */
const header = `<style nonce="${nonce}">
  :root { --scalar-custom-header-height: 44px }
  .hookline-header {
    position: sticky; top: 0; z-index: 100; display: flex; align-items: center; gap: 20px; box-sizing: border-box;
    height: var(--scalar-custom-header-height); padding: 0 24px; border-bottom: 1px solid var(--scalar-border-color);
    background: var(--scalar-background-1); font: 14px var(--scalar-font)
  }
  .hookline-header a { color: var(--scalar-color-1) }
</style>
<nav class="hookline-header" aria-label="Hookline"><a href="/">Dashboard</a><a href="/guides">Guides</a></nav>`

export function referencePlugin(): Plugin {
  return {
    name: 'reference',
    apply: 'build',
    async generateBundle() {
      const source = await scalarFile('/docs/js/scalar.js')
      const script = this.emitFile({ type: 'asset', name: 'scalar.js', source })
      const page = await scalarFile('/docs/', `/${this.getFileName(script)}`)
      this.emitFile({
        type: 'asset',
        fileName: 'reference.html',
        source: page.replace('</head>', `${strictStyles}</head>`).replace('<body>', `<body>${header}`),
      })
    },
  }
}

/** Returns a file as Scalar's plugin serves it. Scalar exports its script in no other way. */
async function scalarFile(path: string, scriptUrl?: string): Promise<string> {
  const app = fastify()
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Hookline API reference',
      nonce,
      withDefaultFonts: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      ...(scriptUrl !== undefined && { cdn: scriptUrl }),
    },
  })
  const { body } = await app.inject(path)
  return body
}
