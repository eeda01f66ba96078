import { glob, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Whether a source file is newer than a built file, or the built file is missing. Paths are relative to the repository. */
export async function isStale(built: string, sources: readonly string[]): Promise<boolean> {
  const builtAt = await modifiedAt(built)
  for (const pattern of sources)
    for await (const file of glob(pattern, { cwd: root })) if ((await modifiedAt(file)) > builtAt) return true
  return false
}

async function modifiedAt(path: string): Promise<number> {
  const stats = await stat(`${root}${path}`).catch(() => undefined)
  return stats?.mtimeMs ?? 0
}
