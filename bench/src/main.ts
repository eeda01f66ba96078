/** `npm run bench -- <name> [options]`: measurements, each in a file of its own. */
import { deliveryBench } from './delivery/main.ts'
import { ledgerBench } from './ledger/main.ts'
import { poolerBench } from './pooler.ts'
import { registryBench } from './registry.ts'
import { workBench } from './work.ts'

const benches: Record<string, (args: string[]) => Promise<void>> = {
  delivery: deliveryBench,
  ledger: ledgerBench,
  pooler: poolerBench,
  registry: registryBench,
  work: workBench,
}

const [name = '', ...args] = process.argv.slice(2)
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined
if (bench === undefined) {
  console.error(`Usage: npm run bench -- <${Object.keys(benches).join(' | ')}> [options]
  delivery  --messages N --turns N --seconds N --rates N,N --only a,b --out folder --profile --pooler --smoke
  ledger    --deliveries N --rate N --calls N --restarts N --plans --drop-caches --folder PATH (filled once and kept)
  pooler    --managed PROGRAM (a PgBouncer that manages prepared statements)
  registry  --hooks N --accounts N --rate N --seconds N --plans --report-only
  work      --waiting N --large N`)
  process.exit(1)
}
await bench(args)
