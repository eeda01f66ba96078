/** Draws an outage: what waits over time, and below it how long events of each second took. */
export interface OutageChart {
  title: string
  /** In seconds since the first sample. */
  outage: { from: number; to: number }
  seconds: number
  backlog: ReadonlyArray<{ second: number; waiting: number }>
  /** Of the events that were accepted in each second, from acceptance to success. */
  latency: ReadonlyArray<{ second: number; p50: number; p99: number }>
}

const width = 900
const left = 70
const right = 20
const panelHeight = 200
const gap = 60
const top = 60
const height = top + 2 * panelHeight + gap + 50

const colours = { backlog: '#1f6feb', p50: '#1a7f37', p99: '#cf222e', outage: '#ffebe9', grid: '#d0d7de' }

export function drawOutage(chart: OutageChart): string {
  const x = (second: number): number => left + (second / chart.seconds) * (width - left - right)
  const { from, to } = chart.outage
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(left, 24, chart.title, 'font-size="15" font-weight="bold"'),
    ...drawBacklog(chart, x, top),
    ...drawLatency(chart, x, top + panelHeight + gap),
    text(x((from + to) / 2), top + 16, 'all receivers fail', 'text-anchor="middle" fill="#82071e"'),
    ...timeAxis(chart.seconds, x),
    '</svg>',
    '',
  ].join('\n')
}

function drawBacklog({ backlog, outage }: OutageChart, x: Scale, at: number): string[] {
  const most = roundUp(Math.max(1, ...backlog.map(({ waiting }) => waiting)))
  const y = (waiting: number): number => at + panelHeight - (waiting / most) * panelHeight
  return [
    band(outage, x, at),
    text(left, at - 8, 'deliveries waiting'),
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((share) =>
      gridLine(y(share * most), (share * most).toLocaleString('en')),
    ),
    line(
      backlog.map(({ second, waiting }) => [x(second), y(waiting)]),
      colours.backlog,
    ),
  ]
}

/** On a logarithmic scale, from 10 ms to 1,000 s. */
function drawLatency({ latency, outage }: OutageChart, x: Scale, at: number): string[] {
  const marks = [10, 100, 1_000, 10_000, 100_000, 1_000_000]
  const y = (ms: number): number => at + panelHeight - ((Math.log10(Math.max(10, ms)) - 1) / 5) * panelHeight
  const points = (of: 'p50' | 'p99'): Point[] => latency.map((one) => [x(one.second), y(one[of])])
  return [
    band(outage, x, at),
    text(left, at - 8, 'from acceptance to success, by second of acceptance'),
    text(width - right - 50, at - 8, 'p50', `fill="${colours.p50}"`),
    text(width - right - 22, at - 8, 'p99', `fill="${colours.p99}"`),
    ...marks.flatMap((ms) => gridLine(y(ms), duration(ms))),
    line(points('p50'), colours.p50),
    line(points('p99'), colours.p99),
  ]
}

type Scale = (value: number) => number
type Point = [x: number, y: number]

function band({ from, to }: OutageChart['outage'], x: Scale, at: number): string {
  const size = `width="${fixed(x(to) - x(from))}" height="${panelHeight}"`
  return `<rect x="${fixed(x(from))}" y="${at}" ${size} fill="${colours.outage}"/>`
}

function gridLine(y: number, label: string): string[] {
  return [
    `<line x1="${left}" x2="${width - right}" y1="${fixed(y)}" y2="${fixed(y)}" stroke="${colours.grid}"/>`,
    text(left - 6, y + 4, label, 'text-anchor="end"'),
  ]
}

function timeAxis(seconds: number, x: Scale): string[] {
  const step = seconds > 300 ? 60 : seconds > 60 ? 20 : 5
  const marks = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, n) => n * step)
  return marks.map((second) => text(x(second), height - 26, `${second} s`, 'text-anchor="middle"'))
}

function line(points: readonly Point[], colour: string): string {
  const path = points.map((point) => point.map(fixed).join(',')).join(' ')
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>`
}

function text(x: number, y: number, content: string, more = ''): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" ${more}>${content}</text>`
}

function duration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toLocaleString('en')} s`
}

function fixed(value: number): string {
  return value.toFixed(1)
}

/** To two leading digits, divisible by four. */
function roundUp(value: number): number {
  const unit = 4 * 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1)
  return Math.ceil(value / unit) * unit
}
