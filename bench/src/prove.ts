/** `npm run prove -- <name> [options]`: runs one proof. A proof takes longer than a test. */
import { buildServerIfStale } from '../../dev/build-server.ts'
import { proveAlerts } from './observability/main.ts'
import { proveConsumer } from './proofs/consumer.ts'
import { createThenEvent } from './proofs/create-then-event.ts'
import { proveFilterCost } from './proofs/filter-cost.ts'
import { proveFaults } from './faults/main.ts'
import { proveHostileTenant } from './hostile/main.ts'
import { proveBreaker } from './isolation/breaker.ts'
import { proveImport } from './proofs/import.ts'
import { proveInboxBacklog } from './inbox-backlog/main.ts'
import { proveIsolation } from './isolation/main.ts'
import { proveOutage } from './isolation/outage.ts'
import { proveCompose } from './deploy/compose.ts'
import { proveDeb } from './deploy/deb.ts'
import { proveImage } from './deploy/image.ts'
import { provePackage } from './deploy/package.ts'
import { proveUpgrade } from './deploy/upgrade.ts'
import { proveNotices } from './proofs/notices.ts'
import { proveReplay } from './proofs/replay.ts'
import { proveRestore } from './restore/main.ts'
import { proveTail } from './proofs/tail.ts'
import { proveWrongClock } from './proofs/wrong-clock.ts'

const proofs: Record<string, (args: string[]) => Promise<void>> = {
  alerts: proveAlerts,
  breaker: proveBreaker,
  compose: proveCompose,
  consumer: proveConsumer,
  'create-then-event': createThenEvent,
  deb: proveDeb,
  faults: proveFaults,
  'filter-cost': proveFilterCost,
  'hostile-tenant': proveHostileTenant,
  image: proveImage,
  import: proveImport,
  'inbox-backlog': proveInboxBacklog,
  isolation: proveIsolation,
  notices: proveNotices,
  outage: proveOutage,
  package: provePackage,
  replay: proveReplay,
  restore: proveRestore,
  tail: proveTail,
  upgrade: proveUpgrade,
  'wrong-clock': proveWrongClock,
}

const [name = '', ...args] = process.argv.slice(2)
const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined
if (proof === undefined) {
  if (name !== '') console.error(`Unknown test "${name}".`)
  console.error(`Usage: npm run prove -- <${Object.keys(proofs).join(' | ')}> [options]
  alerts             --only name
  breaker            --before commit --failures percent --rate N --seconds N
  consumer           --events N --cuts N --kills N --database-kills N
  create-then-event  --pairs N
  faults             --only name --seconds N --ci
  filter-cost        --pairs N --seed N
  hostile-tenant     --only activity --seconds N --rate N --accounts N --hooks N --nats --smoke
  import             --accounts N --hooks N --smoke
  inbox-backlog      --events N --fresh N
  isolation          --only name --seconds N --pairs N --healthy-rate N --noisy-rate N --retries N --nats --smoke
  notices            --accounts N --kills N
  outage             --seconds N --rate N --hooks N --workers N --kind status|refuse --response-ms N --out file --nats --smoke
  replay             --deliveries N --rate N --kills N
  restore            --seconds N --nats --gigabytes N --ci
  tail               --events N --cuts N --kills N
  wrong-clock        --seconds N`)
  process.exit(1)
}
await buildServerIfStale()
await proof(args)
