/** The developer area as it will be served, built from what is there now. */
import { buildWebIfStale } from '../../../dev/build-web.ts'

export async function setup(): Promise<void> {
  await buildWebIfStale()
}
