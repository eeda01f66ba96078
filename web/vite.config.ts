/** How the developer area is built: hashed files of the same origin only, no inline script, compressed beforehand. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * Sets light or dark before anything is drawn. It must run before the application, which is a module and so runs late,
 * and must not be inline, which the content security policy forbids.
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
          throw new Error(`the script for the colour scheme (${reference}) was not built`)
        return [{ tag: 'script', attrs: { src: `/${name}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}

const compressible = /\.(js|css|svg)$/

/** The server sends these as they are; compressing once, when all is written, affords the highest level. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      for (const fileName of Object.keys(bundle).filter((name) => compressible.test(name))) {
        const path = join(dir, fileName)
        const source = await readFile(path)
        await writeFile(`${path}.br`, brotliCompressSync(source))
        await writeFile(`${path}.gz`, gzipSync(source, { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), earlyColorScheme(), compressed()],
  build: {
    // A font or picture inside a style sheet would be a data: address, which the policy forbids for fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
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
