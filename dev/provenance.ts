/** Checksums of release files, and an attestation of how they were built (SLSA provenance in an in-toto statement). */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

export interface Artifact {
  name: string
  sha256: string
}

export interface BuildRecord {
  /** Commands in the order of their runs. */
  commands: readonly string[]
  commit: string
  /** SHA-256 of the lockfile. */
  lockfile: string
  /** Versions of the tools, by name. */
  tools: Readonly<Record<string, string>>
  startedAt: Date
  finishedAt: Date
}

export async function describeArtifact(path: string): Promise<Artifact> {
  return {
    name: basename(path),
    sha256: createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  }
}

/** The format of `sha256sum --check`. */
export function checksums(artifacts: readonly Artifact[]): string {
  return artifacts.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('')
}

export function provenance(artifacts: readonly Artifact[], record: BuildRecord): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: artifacts.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        // The commands run on the machine of the person who releases, from a clean checkout of the commit.
        buildType: 'urn:hookline:npm-run-release:v1',
        externalParameters: { commands: record.commands },
        internalParameters: { tools: record.tools },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: record.commit } },
          { name: 'package-lock.json', digest: { sha256: record.lockfile } },
        ],
      },
      runDetails: {
        builder: { id: 'urn:hookline:local' },
        metadata: {
          startedOn: record.startedAt.toISOString(),
          finishedOn: record.finishedAt.toISOString(),
        },
      },
    },
  }
}
