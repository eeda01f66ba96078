/** Turns what an outage left behind into a chart. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { drawOutage } from './backlog-chart.ts'
import { spreadOf } from './figures.ts'
import type { OutageBooks } from './outage-judge.ts'
import { acceptedAt, eventIdAt } from './request-log.ts'

export async function writeChart(file: string, title: string, books: OutageBooks): Promise<void> {
  const { backlog, failedAt, recoveredAt } = books
  const start = backlog[0]?.at ?? failedAt
  const since = (at: number): number => (at - start) / 1_000
  const chart = drawOutage({
    title,
    outage: { from: since(failedAt), to: since(recoveredAt) },
    seconds: since(backlog.at(-1)?.at ?? failedAt),
    backlog: backlog.map(({ at, waiting }) => ({ second: since(at), waiting })),
    latency: latencyBySecond(books, start),
  })
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, chart)
}

function latencyBySecond({ requests, backlog }: OutageBooks, start: number) {
  const bySecond = new Map<number, number[]>()
  const last = Math.floor(((backlog.at(-1)?.at ?? start) - start) / 1_000)
  for (let place = 0; place < requests.count; place++) {
    if (requests.statuses[place] !== 204) continue
    const since = acceptedAt(eventIdAt(requests, place))
    const second = Math.floor((since - start) / 1_000)
    if (second < 0 || second > last) continue
    const latencies = bySecond.get(second) ?? []
    latencies.push(Math.max(0, (requests.arrivedAt[place] ?? since) - since))
    bySecond.set(second, latencies)
  }
  return [...bySecond]
    .toSorted(([a], [b]) => a - b)
    .map(([second, latencies]) => ({ second, ...spreadOf(latencies) }))
}
