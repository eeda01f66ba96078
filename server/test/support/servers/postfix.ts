/** A Postfix instance of its own that relays all mail to a server of the test. Needs root, as Postfix does. */
import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { reservedPort } from '../../../../dev/ports.ts'

const run = promisify(execFile)

export interface Postfix {
  /** For SMTP_URL. */
  url: string
  close: () => Promise<void>
}

/** Without chroot, so that no file of the system is copied. Two retries per second at most. */
const services = (port: number): string => `
127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
pickup unix n - n 60 1 pickup
postlog unix-dgram n - n - 1 postlogd
`

export async function startPostfix(relayPort: number): Promise<Postfix> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-postfix-'))
  // Postfix's own user reads the folder too.
  await chmod(folder, 0o755)
  const port = await reservedPort()
  const owner = await idsOf('postfix')
  for (const name of ['queue', 'data', 'config']) await mkdir(join(folder, name))
  await chown(join(folder, 'data'), owner.uid, owner.gid)
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(folder, 'queue'),
    data_directory: join(folder, 'data'),
    mail_owner: 'postfix',
    myhostname: 'relay.example',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    relayhost: `[127.0.0.1]:${relayPort}`,
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
    smtpd_tls_security_level: 'none',
    smtp_tls_security_level: 'none',
    smtp_dns_support_level: 'disabled',
    alias_maps: '',
    local_recipient_maps: '',
    maillog_file: join(folder, 'log'),
    maillog_file_prefixes: folder,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  await writeFile(join(folder, 'config/main.cf'), `${lines.join('\n')}\n`)
  await writeFile(join(folder, 'config/master.cf'), services(port))
  const postfix = (action: string) => run('postfix', ['-c', join(folder, 'config'), action])
  await postfix('start')
  return {
    url: `smtp://127.0.0.1:${port}`,
    async close() {
      await postfix('stop')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((option) => run('id', [option, user])))
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
}
