/** Builds the dashboard: hashed files from one origin, no inline scripts, precompressed. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { guidePlugin } from './guide-plugin.ts'
import { referencePlugin } from './reference-plugin.ts'

/**
 * Adds a script that sets the color scheme before the first paint. The app is a module and runs too late for this. The
 * content security policy forbids inline scripts.
 */
function earlyColorScheme(): Plugin {
  let reference = ''
  return {
    name: 'early-color-scheme',
    apply: 'build',
    async buildStart() {
      const source = await readFile(new URL('src/color-scheme.js', import.meta.url))
      reference = this.emitFile({ type: 'asset', name: 'color-scheme.js', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const name = Object.keys(bundle ?? {}).find((file) => file.startsWith('assets/color-scheme-'))
        if (name === undefined)
          throw new Error(`color scheme script (${reference}) is missing from the bundle`)
        return [{ tag: 'script', attrs: { src: `/${name}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}

const compressible = /\.(js|css|svg)$/

/**
 * Compresses the built files once. The server sends them as they are. Above 1 MB, the highest levels of Brotli take 16
 * times as long as level 9 and save a tenth.
 */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      for (const fileName of Object.keys(bundle).filter((name) => compressible.test(name))) {
        const path = join(dir, fileName)
        const source = await readFile(path)
        const quality = source.length > 1e6 ? 9 : 11
        await writeFile(
          `${path}.br`,
          brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
        )
        await writeFile(`${path}.gz`, gzipSync(source, { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), guidePlugin(), referencePlugin(), earlyColorScheme(), precompress()],
  build: {
    // Inlined fonts become data: URLs, which the content security policy forbids.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    // The notices that the licenses of bundled packages ask for.
    license: { fileName: 'licenses.md' },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/oauth', '/docs', '/openapi.json', '/favicon.ico'].map((path) => [
        path,
        process.env.HOOKLINE_URL ?? 'http://127.0.0.1:8080',
      ]),
    ),
  },
})
