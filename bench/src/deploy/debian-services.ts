/**
 * An image with PostgreSQL, NATS and nginx from Debian packages, for the services of the Compose file. It needs no image
 * registry, and understands the variables of the official PostgreSQL image that the Compose file uses.
 */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { containerEnv } from './podman.ts'

const run = promisify(execFile)
const name = 'localhost/hookline-debian-services'
const release = 'bookworm'
const postgresBin = '/usr/lib/postgresql/15/bin'
const packages = ['postgresql-15', 'nginx-light', 'nats-server', 'dash', 'coreutils']
/** The just-in-time compiler of PostgreSQL and documentation, more than half of the size. */
const unused = ['usr/lib/llvm-*', 'usr/lib/*/libLLVM*', 'usr/lib/*/libz3*', 'usr/lib/*/perl*'].concat(
  ['perl', 'doc', 'locale', 'man', 'i18n'].map((folder) => `usr/share/${folder}`),
)

const startPostgres = `#!/bin/sh
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  ${postgresBin}/initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth=scram-sha-256 \\
    --encoding=UTF8 --locale=C.UTF-8 >/dev/null
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE \\"$POSTGRES_DB\\"" | ${postgresBin}/postgres --single -j postgres >/dev/null
fi
exec ${postgresBin}/postgres -c listen_addresses='*' -c unix_socket_directories=/tmp "$@"
`

const containerfile = `FROM scratch
ADD base.tar /
COPY passwd /etc/
COPY --chmod=755 postgres /usr/local/bin/
COPY --chown=999:999 empty /var/lib/postgresql/data
COPY --chown=999:999 empty /data
ENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/bin:${postgresBin} PGDATA=/var/lib/postgresql/data
USER 999:999
`

/** Builds the image with files in an empty folder, and returns its name. */
export async function buildDebianServices(folder: string): Promise<string> {
  await mkdir(join(folder, 'empty'), { recursive: true })
  await writeFile(join(folder, 'passwd'), 'postgres:x:999:999::/var/lib/postgresql:/bin/sh\n')
  await writeFile(join(folder, 'postgres'), startPostgres)
  await writeFile(join(folder, 'Containerfile'), containerfile)
  const remove = `rm -rf ${unused.map((path) => `"$1"/${path}`).join(' ')}`
  const include = `--include=${packages.join(',')}`
  await run('mmdebstrap', [
    '--quiet',
    '--variant=extract',
    include,
    `--extract-hook=${remove}`,
    release,
    join(folder, 'base.tar'),
  ])
  await run('buildah', ['build', '--format=oci', '--layers=false', `--tag=${name}`, folder], {
    env: containerEnv,
  })
  return name
}
