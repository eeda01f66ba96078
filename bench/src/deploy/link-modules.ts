/** Gives a copy of the repository the installed packages of this one, at the root and in workspaces. */
import { glob, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export async function linkModules(copy: string): Promise<void> {
  for await (const folder of glob('{,*/}node_modules', { cwd: root }))
    await symlink(join(root, folder), join(copy, folder))
}
