/** `npm run bench -- <name> [options]`: measurements, each in a file of its own. */
import { registryBench } from './registry.ts'

const [name, ...args] = process.argv.slice(2)

if (name !== 'registry') {
  console.error('Usage: npm run bench -- registry [--hooks N] [--accounts N] [--rate N] [--seconds N]')
  process.exit(1)
}
await registryBench(args)
