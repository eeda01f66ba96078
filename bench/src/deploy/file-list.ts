/** Compares the files of a system before and after a change. */
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Written by a running system, and the database of dpkg. */
const ignored = new Set(['dev', 'proc', 'run', 'sys', 'tmp', 'var'])

/** Copies that tools keep when they add a user. */
const backup = /^etc\/\w+-$/

/** Returns the paths of files and folders, relative to the folder of the system. */
export async function listFiles(root: string): Promise<Set<string>> {
  const paths = new Set<string>()
  for (const name of await readdir(root)) {
    if (ignored.has(name)) continue
    paths.add(name)
    for (const entry of await readdir(join(root, name), { recursive: true, withFileTypes: true }))
      paths.add(relative(root, join(entry.parentPath, entry.name)))
  }
  return paths
}

export async function newFiles(root: string, before: ReadonlySet<string>): Promise<string[]> {
  const paths = [...(await listFiles(root))]
  return paths.filter((path) => !before.has(path) && !backup.test(path)).toSorted()
}
