/** `npm run prove -- <name> [options]`: proofs that take longer than a test, each in a file of its own. */
import { createThenEvent } from './create-then-event.ts'
import { proveFaults } from './faults/main.ts'

const proofs: Record<string, (args: string[]) => Promise<void>> = {
  'create-then-event': createThenEvent,
  faults: proveFaults,
}

const [name = '', ...args] = process.argv.slice(2)
const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined
if (proof === undefined) {
  console.error(`Usage: npm run prove -- <${Object.keys(proofs).join(' | ')}> [options]
  create-then-event  --pairs N
  faults             --only name --seconds N --ci`)
  process.exit(1)
}
await proof(args)
