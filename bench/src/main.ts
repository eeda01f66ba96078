/** `npm run bench -- <name> [options]`: runs one benchmark. */
import { buildServerIfStale } from '../../dev/build-server.ts'
import { deliveryBench } from './delivery/main.ts'
import { sizingBench } from './delivery/sizing.ts'
import { ledgerBench } from './ledger/main.ts'
import { poolerBench } from './proofs/pooler.ts'
import { registryBench } from './registry/main.ts'
import { queueBench } from './queue/main.ts'

const benches: Record<string, (args: string[]) => Promise<void>> = {
  delivery: deliveryBench,
  ledger: ledgerBench,
  pooler: poolerBench,
  registry: registryBench,
  queue: queueBench,
  sizing: sizingBench,
}

const [name = '', ...args] = process.argv.slice(2)
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined
if (bench === undefined) {
  if (name !== '') console.error(`Unknown benchmark "${name}".`)
  console.error(`Usage: npm run bench -- <${Object.keys(benches).join(' | ')}> [options]
  delivery  --messages N --runs N --seconds N --rates N,N --only a,b --out folder --profile --pooler --tracing --smoke
  ledger    --deliveries N --rate N --calls N --restarts N --plans --drop-caches --folder PATH (keeps the seeded data)
  pooler    --managed PROGRAM (a PgBouncer that manages prepared statements)
  registry  --hooks N --accounts N --rate N --seconds N --plans --report-only
  queue     --pending N --large N
  sizing    --rates N,N --seconds N --workers N`)
  process.exit(1)
}
await buildServerIfStale()
await bench(args)
