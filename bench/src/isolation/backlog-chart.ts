/** Draws an outage: pending deliveries over time, and below them the latency by second of acceptance. */
export interface OutageChart {
  title: string
  /** Seconds since the first sample. */
  outage: { from: number; to: number }
  seconds: number
  backlog: ReadonlyArray<{ second: number; waiting: number }>
  /** Milliseconds from acceptance to success, for the events accepted in each second. */
  latency: ReadonlyArray<{ second: number; p50: number; p99: number }>
}

const width = 900
const left = 70
const right = 20
const panelHeight = 200
const gap = 60
const top = 60
const height = top + 2 * panelHeight + gap + 50

const colors = { backlog: '#1f6feb', p50: '#1a7f37', p99: '#cf222e', outage: '#ffebe9', grid: '#d0d7de' }

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
  const max = roundUp(Math.max(1, ...backlog.map(({ waiting }) => waiting)))
  const y = (waiting: number): number => at + panelHeight - (waiting / max) * panelHeight
  return [
    band(outage, x, at),
    text(left, at - 8, 'pending deliveries'),
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((ratio) =>
      gridLine(y(ratio * max), (ratio * max).toLocaleString('en')),
    ),
    line(
      backlog.map(({ second, waiting }) => [x(second), y(waiting)]),
      colors.backlog,
    ),
  ]
}

/** Uses a logarithmic scale from 10 ms to 1,000 s. */
function drawLatency({ latency, outage }: OutageChart, x: Scale, at: number): string[] {
  const marks = [10, 100, 1_000, 10_000, 100_000, 1_000_000]
  const y = (ms: number): number => at + panelHeight - ((Math.log10(Math.max(10, ms)) - 1) / 5) * panelHeight
  const points = (of: 'p50' | 'p99'): Point[] =>
    latency.map((latencies) => [x(latencies.second), y(latencies[of])])
  return [
    band(outage, x, at),
    text(left, at - 8, 'from acceptance to success, by second of acceptance'),
    text(width - right - 50, at - 8, 'p50', `fill="${colors.p50}"`),
    text(width - right - 22, at - 8, 'p99', `fill="${colors.p99}"`),
    ...marks.flatMap((ms) => gridLine(y(ms), formatDuration(ms))),
    line(points('p50'), colors.p50),
    line(points('p99'), colors.p99),
  ]
}

type Scale = (value: number) => number
type Point = [x: number, y: number]

function band({ from, to }: OutageChart['outage'], x: Scale, at: number): string {
  const size = `width="${fixed(x(to) - x(from))}" height="${panelHeight}"`
  return `<rect x="${fixed(x(from))}" y="${at}" ${size} fill="${colors.outage}"/>`
}

function gridLine(y: number, label: string): string[] {
  return [
    `<line x1="${left}" x2="${width - right}" y1="${fixed(y)}" y2="${fixed(y)}" stroke="${colors.grid}"/>`,
    text(left - 6, y + 4, label, 'text-anchor="end"'),
  ]
}

function timeAxis(seconds: number, x: Scale): string[] {
  const step = seconds > 300 ? 60 : seconds > 60 ? 20 : 5
  const marks = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, n) => n * step)
  return marks.map((second) => text(x(second), height - 26, `${second} s`, 'text-anchor="middle"'))
}

function line(points: readonly Point[], color: string): string {
  const path = points.map((point) => point.map(fixed).join(',')).join(' ')
  return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="1.5"/>`
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" ${attributes}>${content}</text>`
}

function formatDuration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toLocaleString('en')} s`
}

function fixed(value: number): string {
  return value.toFixed(1)
}

/** Rounds up to two significant digits, divisible by four. */
function roundUp(value: number): number {
  const unit = 4 * 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1)
  return Math.ceil(value / unit) * unit
}
