/** Prometheus and Alertmanager of Debian on free ports, and a receiver of notifications. */
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../../dev/ports.ts'
import { startReceiver } from '../../../dev/receiver.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { startServer } from '../support/servers.ts'

export interface Notification {
  status: 'firing' | 'resolved'
  alert: string
  severity: string
  at: number
}

export interface Monitoring {
  /** All notifications of Alertmanager so far. */
  notifications: readonly Notification[]
  /** Names of alerts that Alertmanager reported as firing and not as resolved since. */
  firing: () => Set<string>
  /** Sets the processes of Hookline to scrape. */
  setTargets: (urls: readonly string[]) => Promise<void>
  /** Evaluates an expression. Returns the number of series. */
  query: (expression: string) => Promise<number>
}

interface Options {
  folder: string
  rules: string
  databaseUrl: string
  /** Internal URLs of the processes. */
  targets: readonly string[]
  cleanup: Cleanup
}

export async function startMonitoring({
  folder,
  rules,
  databaseUrl,
  targets,
  cleanup,
}: Options): Promise<Monitoring> {
  const notifications: Notification[] = []
  const receiver = await startReceiver((request, response) => {
    for (const { status, labels } of readAlerts(request.body))
      notifications.push({
        status,
        alert: labels.role === undefined ? labels.alertname : `${labels.alertname}{${labels.role}}`,
        severity: labels.severity,
        at: performance.now(),
      })
    response.end()
  })
  cleanup.push(() => receiver.close())

  const alertmanager = await freePort()
  await writeFile(join(folder, 'alertmanager.yml'), alertmanagerConfig(receiver.url('/alerts')))
  await startServer(
    'prometheus-alertmanager',
    [
      `--config.file=${folder}/alertmanager.yml`,
      `--storage.path=${folder}/alertmanager`,
      `--web.listen-address=127.0.0.1:${alertmanager}`,
      '--cluster.listen-address=',
    ],
    alertmanager,
    'prometheus-alertmanager',
    cleanup,
  )

  const exporters = {
    node: await startExporter('prometheus-node-exporter', {}, cleanup),
    postgres: await startExporter(
      'prometheus-postgres-exporter',
      { DATA_SOURCE_NAME: `${databaseUrl}?sslmode=disable` },
      cleanup,
    ),
  }
  const setTargets = async (urls: readonly string[]): Promise<void> => {
    const groups = [{ targets: urls.map((url) => new URL(url).host) }]
    // In one step, so that Prometheus never reads half a file.
    await writeFile(join(folder, 'targets.new'), JSON.stringify(groups))
    await rename(join(folder, 'targets.new'), join(folder, 'targets.json'))
  }
  await setTargets(targets)
  await writeFile(join(folder, 'alerts.yml'), rules)
  await writeFile(join(folder, 'prometheus.yml'), prometheusConfig(folder, alertmanager, exporters))
  const prometheus = await freePort()
  await startServer(
    'prometheus',
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/prometheus`,
      `--web.listen-address=127.0.0.1:${prometheus}`,
      '--rules.alert.resend-delay=1s',
    ],
    prometheus,
    'prometheus',
    cleanup,
  )

  return {
    notifications,
    firing() {
      const firing = new Set<string>()
      for (const { status, alert } of notifications)
        if (status === 'firing') firing.add(alert)
        else firing.delete(alert)
      return firing
    },
    setTargets,
    async query(expression) {
      const response = await fetch(`http://127.0.0.1:${prometheus}/api/v1/query`, {
        method: 'POST',
        body: new URLSearchParams({ query: expression }),
      })
      const { status, error, data } = (await response.json()) as QueryResponse
      if (status !== 'success') throw new Error(`${expression}: ${error}`)
      return data.result.length
    },
  }
}

interface QueryResponse {
  status: string
  error?: string
  data: { result: unknown[] }
}

interface AlertmanagerAlert {
  status: 'firing' | 'resolved'
  labels: { alertname: string; severity: string; role?: string }
}

function readAlerts(body: string): AlertmanagerAlert[] {
  return (JSON.parse(body) as { alerts: AlertmanagerAlert[] }).alerts
}

async function startExporter(
  program: string,
  env: Record<string, string>,
  cleanup: Cleanup,
): Promise<number> {
  const port = await freePort()
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const args = [...variables, program, `--web.listen-address=127.0.0.1:${port}`]
  await startServer('env', args, port, program, cleanup)
  return port
}

/** Sends every alert on its own, without delay. */
function alertmanagerConfig(url: string): string {
  return `
route: { receiver: proof, group_by: ['...'], group_wait: 0s, group_interval: 1s, repeat_interval: 1h }
receivers: [{ name: proof, webhook_configs: [{ url: '${url}', send_resolved: true }] }]
`
}

/** The exporters have other job names than in production: the disk of this machine is no part of the proof. */
function prometheusConfig(
  folder: string,
  alertmanager: number,
  exporters: { node: number; postgres: number },
): string {
  return `
global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: ['${folder}/alerts.yml']
alerting: { alertmanagers: [{ static_configs: [{ targets: ['127.0.0.1:${alertmanager}'] }] }] }
scrape_configs:
  - { job_name: hookline, file_sd_configs: [{ files: ['${folder}/targets.json'] }] }
  - { job_name: machine, static_configs: [{ targets: ['127.0.0.1:${exporters.node}'] }] }
  - { job_name: postgres, static_configs: [{ targets: ['127.0.0.1:${exporters.postgres}'] }] }
`
}
