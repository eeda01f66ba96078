/** The drawn part of a chart. Heavy, so it is only ever loaded apart from the page. */
import '@mantine/charts/styles.layer.css'
import { AreaChart, BarChart, ChartTooltip } from '@mantine/charts'
import type { TooltipContentProps } from 'recharts'
import { figure } from '../../words/count.ts'
import { type BucketStep, spanWords, tickWords } from '../../words/clock.ts'
import { shortFigure } from '../../words/figures.ts'
import type { Series } from './series.ts'

type Content = Pick<TooltipContentProps, 'label' | 'payload'>

/** The exact values, and what time they are of. */
function tooltipOf(series: { name: string; label: string; color: string }[], step: BucketStep) {
  return ({ label, payload }: Content) => (
    <ChartTooltip
      label={typeof label === 'string' ? spanWords(label, step) : ''}
      payload={payload.map((entry) => ({ ...entry }))}
      series={series}
      valueFormatter={figure}
    />
  )
}

interface PlotProps {
  rows: readonly { start: string }[]
  series: readonly Series[]
  step: BucketStep
  height: number
  shape: 'areas' | 'bars'
  /** Plots of the same name show the same moment on hover. */
  together: string
}

/** So that an axis without anything on it still has a scale. */
const leastTop = 4

function isFlat(rows: readonly object[], series: readonly Series[]): boolean {
  return rows.every((row) =>
    series.every(({ name }) => Number((row as Record<string, unknown>)[name] ?? 0) < leastTop),
  )
}

export function Plot({ rows, series, step, height, shape, together }: PlotProps) {
  const shown = series.map(({ name, title, color }) => ({ name, color, label: title }))
  const shared = {
    h: height,
    data: [...rows],
    dataKey: 'start',
    gridAxis: 'x' as const,
    strokeDasharray: '0',
    gridColor: 'var(--line)',
    textColor: 'var(--text-quiet)',
    tickLine: 'none' as const,
    accessibilityLayer: false,
    valueFormatter: shortFigure,
    xAxisProps: {
      tickFormatter: (start: string) => tickWords(start, step),
      minTickGap: 32,
      padding: shape === 'areas' ? { left: 8, right: 8 } : {},
    },
    yAxisProps: {
      width: 44,
      allowDecimals: false,
      domain: [0, isFlat(rows, series) ? leastTop : 'auto'] as [number, number | 'auto'],
      tickCount: shape === 'areas' ? 5 : 3,
    },
    tooltipProps: { content: tooltipOf(shown, step) },
  }
  return shape === 'areas' ? (
    <AreaChart
      {...shared}
      series={shown}
      curveType="linear"
      withDots={false}
      withGradient={false}
      fillOpacity={0.1}
      strokeWidth={1.75}
      areaChartProps={{ syncId: together }}
    />
  ) : (
    <BarChart {...shared} series={shown} maxBarWidth={18} barChartProps={{ syncId: together }} />
  )
}
