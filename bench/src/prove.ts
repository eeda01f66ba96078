/** `npm run prove -- <name> [options]`: proofs that take longer than a test, each in a file of its own. */
import { createThenEvent } from './create-then-event.ts'
import { proveFaults } from './faults/main.ts'
import { proveIsolation } from './isolation/main.ts'
import { proveOutage } from './isolation/outage.ts'
import { streamBacklog } from './stream-backlog.ts'

const proofs: Record<string, (args: string[]) => Promise<void>> = {
  'create-then-event': createThenEvent,
  faults: proveFaults,
  isolation: proveIsolation,
  outage: proveOutage,
  'stream-backlog': streamBacklog,
}

const [name = '', ...args] = process.argv.slice(2)
const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined
if (proof === undefined) {
  console.error(`Usage: npm run prove -- <${Object.keys(proofs).join(' | ')}> [options]
  create-then-event  --pairs N
  faults             --only name --seconds N --ci
  isolation          --only name --seconds N --turns N --healthy-rate N --trouble-rate N --parked N --nats --smoke
  outage             --seconds N --rate N --hooks N --workers N --kind status|refuse --answer-ms N --out file --nats --smoke
  stream-backlog     --events N --fresh N`)
  process.exit(1)
}
await proof(args)
