/**
 * `npm run audit`: looks up known vulnerabilities of the dependencies of the server and the dashboard. Fails on high and
 * critical ones. Some registries answer no audits: then it prints a notice and checks nothing.
 */
import { execFile } from 'node:child_process'

interface Vulnerability {
  name: string
  severity: string
  /** Advisories, and names of vulnerable dependencies. */
  via: Array<string | { title: string; url: string }>
}

interface Report {
  /** The failure of the call to the registry. */
  message?: string
  vulnerabilities?: Record<string, Vulnerability>
}

const severe = new Set(['high', 'critical'])

const { message, vulnerabilities } = await audit()
if (vulnerabilities !== undefined) {
  const found = Object.values(vulnerabilities)
  for (const { name, severity, via } of found)
    console.log(`${severity}: ${name}: ${via.map((one) => describe(one)).join('; ')}`)
  const failures = found.filter(({ severity }) => severe.has(severity))
  console.log(`${found.length} vulnerable packages, ${failures.length} of them high or critical`)
  if (failures.length > 0) process.exitCode = 1
} else if (message !== undefined) {
  console.log(`not checked: the registry does not answer audits (${message})`)
} else {
  throw new Error('npm audit printed no report.')
}

async function audit(): Promise<Report> {
  const args = ['audit', '--omit=dev', '--json', '--workspace=server', '--workspace=web']
  const output = await new Promise<string>((resolve) => {
    // npm exits with 1 on any finding, so its output decides.
    execFile('npm', args, { maxBuffer: 2 ** 26 }, (_error, stdout) => resolve(stdout))
  })
  return JSON.parse(output)
}

function describe(via: Vulnerability['via'][number]): string {
  return typeof via === 'string' ? `by ${via}` : `${via.title} ${via.url}`
}
