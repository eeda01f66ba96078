/**
 * Bundles the server and its dependencies for the production package: a few files load much faster than 1,900. Names
 * stay readable, for stack traces.
 */
import { defineConfig } from 'vite'

/** Contains native code. The package installs it. */
export const installedPackages = ['@node-rs/argon2']
/** Started by name: the command, and the files of child processes and threads. */
const entryPoints = ['cli', 'isolated', 'identity/accounts/hash-thread']

export default defineConfig({
  root: import.meta.dirname,
  // Comments in the output name the folders of packages as the clone sees them.
  resolve: { preserveSymlinks: true },
  ssr: { noExternal: true, external: installedPackages },
  build: {
    ssr: true,
    target: 'node24',
    minify: false,
    // The notices that the licenses of bundled packages ask for.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // Of a dependency: it names deprecated functions.
      checks: { eval: false },
      input: Object.fromEntries(entryPoints.map((path) => [path, `src/${path}.ts`])),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
