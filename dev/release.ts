/**
 * `npm run release`: builds all files of a release in `release/<version>/`, with checksums and an attestation of how they
 * were built, and tags the commit. `--dry-run` builds the same files, lists what prevents a release, and tags nothing.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { git } from './git.ts'
import { type Artifact, checksums, describeArtifact, provenance } from './provenance.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
/** Each leaves its files in `dist/`, and removes those of the one before. */
const builds = ['npm run build', 'npm run image', 'npm run deb', 'npm run build:packages']
const releasedFiles = /\.(?:tgz|tar|tar\.gz|whl|deb|cdx\.json)$/
const { values: options } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })

const startedAt = new Date()
const { version } = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8'))
const tag = `v${version}`
const problems = await findProblems()
for (const problem of problems) console.error(`✗ ${problem}`)
if (problems.length > 0 && !options['dry-run']) process.exit(1)

const folder = join(root, 'release', version)
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
for (const command of builds) {
  console.log(`$ ${command}`)
  const [program = '', ...args] = command.split(' ')
  await run(program, args, { cwd: root, maxBuffer: 1e8 })
  for (const name of (await readdir(join(root, 'dist'))).filter((file) => releasedFiles.test(file)))
    await cp(join(root, 'dist', name), join(folder, name))
}
const names = (await readdir(folder)).toSorted()
const built = await Promise.all(names.map((name) => describeArtifact(join(folder, name))))
const artifacts = [...built, await writeAttestation(built)]
await writeFile(join(folder, 'SHA256SUMS'), checksums(artifacts))
process.stdout.write(checksums(artifacts))
if (options['dry-run']) console.log(`\nNo tag created: this was a dry run with ${problems.length} problems.`)
else {
  await git('tag', '--annotate', tag, '--message', `Hookline ${version}`)
  console.log(`\nTagged ${tag}. Sign release/${version}/SHA256SUMS, push the tag, and publish the folder.`)
}

async function findProblems(): Promise<string[]> {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  const conditions: Record<string, boolean> = {
    'There are changes that are not committed.': (await git('status', '--porcelain')) === '',
    [`CHANGELOG.md has no section "## ${version}".`]: changelog.includes(`\n## ${version}\n`),
    [`The tag ${tag} exists. Increase the version in server/package.json.`]:
      (await git('tag', '--list', tag)) === '',
  }
  return Object.keys(conditions).filter((problem) => !conditions[problem])
}

async function writeAttestation(subjects: readonly Artifact[]): Promise<Artifact> {
  const { sha256: lockfile } = await describeArtifact(join(root, 'package-lock.json'))
  const statement = provenance(subjects, {
    commands: ['npm ci', ...builds],
    commit: await git('rev-parse', 'HEAD'),
    lockfile,
    tools: {
      node: process.versions.node,
      npm: await versionOf('npm'),
      buildah: await versionOf('buildah'),
      mmdebstrap: await versionOf('mmdebstrap'),
      'dpkg-deb': await versionOf('dpkg-deb'),
    },
    startedAt,
    finishedAt: new Date(),
  })
  const path = join(folder, `hookline-server-${version}.provenance.json`)
  await writeFile(path, `${JSON.stringify(statement, null, 2)}\n`)
  return describeArtifact(path)
}

async function versionOf(program: string): Promise<string> {
  const { stdout } = await run(program, ['--version'])
  return stdout.split('\n', 1)[0] ?? ''
}
