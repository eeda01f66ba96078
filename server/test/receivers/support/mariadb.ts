/** Starts MariaDB with an empty database, on a socket only. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type ServerProcess, startServer } from './server-process.ts'

export interface MariaDb extends ServerProcess {
  socket: string
}

export async function startMariaDb(folder: string, database: string): Promise<MariaDb> {
  const socket = join(folder, 'mysql.sock')
  const options = ['--no-defaults', `--datadir=${join(folder, 'database')}`, '--user=root']
  const install = [...options, '--auth-root-authentication-method=normal', '--skip-test-db']
  execFileSync('mariadb-install-db', install, { stdio: 'pipe' })
  const small = ['--innodb-buffer-pool-size=32M', '--innodb-log-file-size=8M', '--skip-log-bin']
  const args = [...options, ...small, '--skip-networking', `--socket=${socket}`]
  const server = await startServer('mariadbd', args, socket)
  mariaDbClient(socket, '', `CREATE DATABASE ${database}`)
  return { ...server, socket }
}

export function mariaDbClient(socket: string, database: string, sql: string): string {
  const args = ['--no-defaults', '--socket', socket, '-uroot', '-D', database, '-N', '-e', sql]
  return execFileSync('mariadb', args, { encoding: 'utf8' })
}
