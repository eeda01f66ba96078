/** `npm run build:receiver`: builds the package of the receiver library in `dist/hookline-receiver/`. */
import { relative } from 'node:path'
import { buildLibrary } from './build-library.ts'

console.log(`npm install ${relative('.', await buildLibrary('receiver'))}`)
