/** Builds the dashboard if its sources changed. */
import { buildWebIfStale } from '../../../dev/build-web.ts'

export async function setup(): Promise<void> {
  await buildWebIfStale()
}
