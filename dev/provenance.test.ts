import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { checksums, describeArtifact, provenance } from './provenance.ts'

/** SHA-256 of "hookline\n", from `sha256sum`. */
const sha256 = 'c5f123d57841335e2acc31bedbd3cc02126ece1293a59182644da5d7286d1164'

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-provenance-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'a file.tgz'), 'hookline\n')
  return folder
}

test('sha256sum accepts the checksums, and rejects a changed file', async () => {
  const folder = await createFolder()
  const artifact = await describeArtifact(join(folder, 'a file.tgz'))
  expect(artifact).toEqual({ name: 'a file.tgz', sha256 })
  await writeFile(join(folder, 'SHA256SUMS'), checksums([artifact]))
  const check = () => promisify(execFile)('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder })
  await expect(check()).resolves.toMatchObject({ stdout: 'a file.tgz: OK\n' })
  await writeFile(join(folder, 'a file.tgz'), 'changed\n')
  await expect(check()).rejects.toThrow(/did NOT match/)
})

test('the attestation names the files, the commit, the lockfile and the commands', () => {
  const statement = provenance([{ name: 'a.tgz', sha256 }], {
    commands: ['npm ci', 'npm run build'],
    commit: 'c0ffee',
    lockfile: 'beef',
    tools: { node: '24.0.0' },
    startedAt: new Date('2026-01-02T03:04:05Z'),
    finishedAt: new Date('2026-01-02T03:05:05Z'),
  })
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'a.tgz', digest: { sha256 } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        externalParameters: { commands: ['npm ci', 'npm run build'] },
        internalParameters: { tools: { node: '24.0.0' } },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: 'c0ffee' } },
          { name: 'package-lock.json', digest: { sha256: 'beef' } },
        ],
      },
      runDetails: {
        metadata: { startedOn: '2026-01-02T03:04:05.000Z', finishedOn: '2026-01-02T03:05:05.000Z' },
      },
    },
  })
})
