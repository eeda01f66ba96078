/** Bundles the command line tool with its dependencies into one file. */
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // Comments in the output name the folders of packages as the clone sees them.
  resolve: { preserveSymlinks: true },
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node22',
    minify: false,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: { hookline: 'src/main.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
