/** `npm run prove -- <name> [options]`: proofs that take longer than a test, each in a file of its own. */
import { createThenEvent } from './create-then-event.ts'
import { proveFaults } from './faults/main.ts'
import { proveIsolation } from './isolation/main.ts'
import { proveOutage } from './isolation/outage.ts'
import { proveReplay } from './replay.ts'
import { streamBacklog } from './stream-backlog.ts'
import { proveTail } from './tail.ts'

const proofs: Record<string, (args: string[]) => Promise<void>> = {
  'create-then-event': createThenEvent,
  faults: proveFaults,
  isolation: proveIsolation,
  outage: proveOutage,
  replay: proveReplay,
  'stream-backlog': streamBacklog,
  tail: proveTail,
}

const [name = '', ...args] = process.argv.slice(2)
const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined
if (proof === undefined) {
  console.error(`Usage: npm run prove -- <${Object.keys(proofs).join(' | ')}> [options]
  create-then-event  --pairs N
  faults             --only name --seconds N --ci
  isolation          --only name --seconds N --turns N --healthy-rate N --trouble-rate N --parked N --nats --smoke
  outage             --seconds N --rate N --hooks N --workers N --kind status|refuse --answer-ms N --out file --nats --smoke
  replay             --deliveries N --rate N --kills N
  stream-backlog     --events N --fresh N
  tail               --events N --cuts N --kills N`)
  process.exit(1)
}
await proof(args)
