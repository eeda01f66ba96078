/** Checks the installed systemd units. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine, Run } from './machine.ts'

const services = ['hookline-migrate.service', 'hookline-api.service', 'hookline-worker@1.service']
/** Score of `systemd-analyze security`, from 0 to 10. Below 2 is its grade "OK", the best for a service with network. */
const maxExposure = 1.4

/** Runs the checks of systemd. `verify` has no output if it finds no problem. */
export async function checkUnits(run: Run): Promise<void> {
  const problems = await run('sh', '-c', `systemd-analyze verify hookline.target ${services.join(' ')} 2>&1`)
  if (problems !== '') throw new Error(problems)
  for (const service of services) {
    const report = await run('systemd-analyze', 'security', '--offline=true', '--no-pager', service)
    const [, score = ''] = /Overall exposure level for \S+: (\S+)/.exec(report) ?? []
    console.log(`${service}: exposure ${score} of 10`)
    if (score === '' || Number(score) > maxExposure) throw new Error(`more than ${maxExposure}:\n${report}`)
  }
}

const deniedAddresses = ['10.0.0.1', '100.64.0.1', '169.254.169.254', '172.16.0.1', '192.168.0.1']

/** Sends a datagram to each address. The kernel rejects denied ones before they leave the machine. */
const probe = `
import { createSocket } from 'node:dgram'
for (const address of ['127.0.0.1', ${deniedAddresses.map((address) => `'${address}'`).join()}]) {
  const socket = createSocket('udp4')
  const error = await new Promise((resolve) => socket.send('', 9, address, resolve))
  console.log(address, error?.code ?? 'sent')
  socket.close()
}
`

/** Runs the probe in a unit of workers. */
export async function checkBarrier({ root }: Pick<Machine, 'root'>, run: Run): Promise<void> {
  const dropIn = join(root, 'etc/systemd/system/hookline-worker@probe.service.d')
  const script = join(root, 'opt/probe.mjs')
  const lines = ['[Service]', 'Type=oneshot', 'Restart=no', 'ExecStart=']
  await mkdir(dropIn)
  await writeFile(script, probe)
  await writeFile(
    join(dropIn, 'probe.conf'),
    [...lines, 'ExecStart=/usr/lib/hookline/bin/node /opt/probe.mjs'].join('\n'),
  )
  await run('systemctl', 'daemon-reload')
  await run('systemctl', 'start', 'hookline-worker@probe')
  const output = await run('journalctl', '--output=cat', '--identifier=hookline-worker@probe')
  const expected = ['127.0.0.1 sent', ...deniedAddresses.map((address) => `${address} EPERM`)]
  if (output !== expected.join('\n')) throw new Error(`a worker reached private addresses:\n${output}`)
  console.log(`a worker cannot send to ${deniedAddresses.join(', ')}`)
  await rm(dropIn, { recursive: true })
  await rm(script)
}
