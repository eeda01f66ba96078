/** Damages the repository. A restore must then fail, and `pgbackrest verify` must find the damage. */
import { open, readdir, rename } from 'node:fs/promises'
import { restoreCopy } from './clusters.ts'
import { type Context, logStep } from './context.ts'
import type { Crash } from './crash.ts'

type Target = Pick<Crash, 'target' | 'targetSegment' | 'backup'>

export async function findIgnoredDamage(context: Context, crash: Target): Promise<string[]> {
  const found = await context.repository.verify()
  if (found.length > 0) return [`verify reports an intact repository: ${found.join('; ')}`]
  return [...(await loseSegment(context, crash)), ...(await damageFile(context, crash))]
}

/** Without the WAL segment of the target, recovery must not end with an older state. */
async function loseSegment(context: Context, crash: Target): Promise<string[]> {
  logStep('restore without a WAL segment')
  const { repository } = context
  const files = await readdir(repository.folder, { recursive: true })
  const file = files.find((path) => path.includes(`/${crash.targetSegment}-`))
  if (file === undefined) return [`the archive has no segment ${crash.targetSegment}`]
  const path = `${repository.folder}/${file}`
  const kept = `${context.parent}/kept-segment`
  await rename(path, kept)
  const violations = [
    ...(await expectFailure(
      context,
      crash,
      'lost-segment',
      /recovery ended before configured recovery target/,
    )),
    ...((await repository.verify()).length > 0 ? [] : ['verify does not find the missing WAL segment']),
  ]
  await rename(kept, path)
  return violations
}

/** Overwrites some bytes of a file of the backup. */
async function damageFile(context: Context, crash: Target): Promise<string[]> {
  logStep('restore with a damaged file')
  const { repository } = context
  const base = `${repository.folder}/backup/hookline/${crash.backup.label}/pg_data/base`
  const file = (await readdir(base, { recursive: true })).find((path) => path.endsWith('.zst'))
  const handle = await open(`${base}/${file}`, 'r+')
  await handle.write(Buffer.alloc(8, 0xff), 0, 8, 16)
  await handle.close()
  return [
    ...(await expectFailure(context, crash, 'damaged-file', /pgbackrest/)),
    ...((await repository.verify()).length > 0 ? [] : ['verify does not find the damaged file']),
  ]
}

async function expectFailure(
  context: Context,
  { target }: Target,
  name: string,
  expected: RegExp,
): Promise<string[]> {
  try {
    await restoreCopy({ ...context, target }, name)
    return [`${name}: the restore succeeded`]
  } catch (error) {
    return expected.test(String(error)) ? [] : [`${name}: ${String(error)}`]
  }
}
