/** `npm run generate`: regenerates all generated files. */
import { writeFile } from 'node:fs/promises'
import { generateAll } from './generated.ts'

for (const { path, text } of await generateAll()) {
  await writeFile(path, text)
  console.log(`wrote ${path}`)
}
