/** Builds an artifact with a script of package.json. The script prints the path of the artifact, a colon and its size. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { containerEnv } from './podman.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

type Script = 'build' | 'deb' | 'image'

/** Builds twice, compares the bytes, and returns the path of the artifact. */
export async function buildTwice(script: Script): Promise<string> {
  const first = await readFile(await buildArtifact(script))
  const path = await buildArtifact(script)
  if (!first.equals(await readFile(path))) throw new Error(`two runs of npm run ${script} differ`)
  console.log(`npm run ${script}: ${(first.length / 1e6).toFixed(1)} MB, two builds have the same bytes`)
  return path
}

/** Builds in another folder if one is given. */
export async function buildArtifact(script: Script, folder = root): Promise<string> {
  const run = promisify(execFile)
  const { stdout } = await run('npm', ['run', '-s', script], {
    cwd: folder,
    env: containerEnv,
    maxBuffer: 1e8,
  })
  const [, file = ''] = /^(dist\/\S+):/m.exec(stdout) ?? []
  return join(folder, file)
}
