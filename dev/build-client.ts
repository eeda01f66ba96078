/** `npm run build:client`: builds the package of the client library in `dist/hookline-client/`. */
import { relative } from 'node:path'
import { buildLibrary } from './build-library.ts'

console.log(`npm install ${relative('.', await buildLibrary('sdk'))}`)
