/** The version that an upgrade starts from: the commit in `deploy/upgrade-from`, checked out beside this one. */
import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { git } from '../../../dev/git.ts'
import { succeeds } from '../support/succeeds.ts'
import { linkModules } from './link-modules.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

/** Copies the previous version into a new folder. Its dependencies are those of this version. */
export async function checkOutPreviousVersion(folder: string): Promise<void> {
  const commit = (await readFile(join(root, 'deploy/upgrade-from'), 'utf8')).trim()
  await fetchCommit(commit)
  await mkdir(folder)
  const archive = join(folder, 'source.tar')
  await git('archive', `--output=${archive}`, commit)
  await run('tar', ['--extract', `--file=${archive}`, `--directory=${folder}`])
  await linkModules(folder)
  console.log(`upgrading from commit ${commit.slice(0, 12)}`)
}

/** A shallow clone does not have the commit. */
async function fetchCommit(commit: string): Promise<void> {
  if (!(await succeeds(git('cat-file', '-e', `${commit}^{commit}`))))
    await git('fetch', '--depth=1', 'origin', commit)
}
