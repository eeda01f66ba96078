/** Writes a chart of the observations of an outage. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { drawOutage } from './backlog-chart.ts'
import { percentilesOf } from './latency-stats.ts'
import type { OutageObservations } from './verify-outage.ts'
import { acceptedAt, eventIdAt } from './request-log.ts'

export async function writeChart(
  file: string,
  title: string,
  observations: OutageObservations,
): Promise<void> {
  const { backlog, failedAt, recoveredAt } = observations
  const start = backlog[0]?.at ?? failedAt
  const since = (at: number): number => (at - start) / 1_000
  const chart = drawOutage({
    title,
    outage: { from: since(failedAt), to: since(recoveredAt) },
    seconds: since(backlog.at(-1)?.at ?? failedAt),
    backlog: backlog.map(({ at, waiting }) => ({ second: since(at), waiting })),
    latency: latencyBySecond(observations, start),
  })
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, chart)
}

function latencyBySecond({ requests, backlog }: OutageObservations, start: number) {
  const bySecond = new Map<number, number[]>()
  const last = Math.floor(((backlog.at(-1)?.at ?? start) - start) / 1_000)
  for (let index = 0; index < requests.count; index++) {
    if (requests.statuses[index] !== 204) continue
    const since = acceptedAt(eventIdAt(requests, index))
    const second = Math.floor((since - start) / 1_000)
    if (second < 0 || second > last) continue
    const latencies = bySecond.get(second) ?? []
    latencies.push(Math.max(0, (requests.arrivedAt[index] ?? since) - since))
    bySecond.set(second, latencies)
  }
  return [...bySecond]
    .toSorted(([a], [b]) => a - b)
    .map(([second, latencies]) => ({ second, ...percentilesOf(latencies) }))
}
