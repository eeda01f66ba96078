/** Chart rendering. Always lazy-loaded because the chart library is large. */
import '@mantine/charts/styles.layer.css'
import { AreaChart, BarChart, ChartTooltip } from '@mantine/charts'
import type { TooltipContentProps } from 'recharts'
import { formatNumber } from '../../lib/format-number.ts'
import { type BucketStep, formatSpan, formatTick } from '../../lib/format-clock.ts'
import { formatShort } from '../../lib/format-duration.ts'
import type { Series } from './series.ts'

type Content = Pick<TooltipContentProps, 'label' | 'payload'>

/** Tooltip with exact values and their time span. */
function tooltipOf(series: { name: string; label: string; color: string }[], step: BucketStep) {
  return ({ label, payload }: Content) => (
    <ChartTooltip
      label={typeof label === 'string' ? formatSpan(label, step) : ''}
      payload={payload.map((entry) => ({ ...entry }))}
      series={series}
      valueFormatter={formatNumber}
    />
  )
}

interface PlotProps {
  rows: readonly { start: string }[]
  series: readonly Series[]
  step: BucketStep
  height: number
  shape: 'areas' | 'bars'
  /** Plots with the same ID share the hover position. */
  syncId: string
}

/** Minimum scale of the axis, for empty plots. */
const minTop = 4

function isFlat(rows: readonly object[], series: readonly Series[]): boolean {
  return rows.every((row) =>
    series.every(({ name }) => Number((row as Record<string, unknown>)[name] ?? 0) < minTop),
  )
}

export function Plot({ rows, series, step, height, shape, syncId }: PlotProps) {
  const plotSeries = series.map(({ name, title, color }) => ({ name, color, label: title }))
  const shared = {
    h: height,
    data: [...rows],
    dataKey: 'start',
    gridAxis: 'x' as const,
    strokeDasharray: '0',
    gridColor: 'var(--border)',
    textColor: 'var(--text-muted)',
    tickLine: 'none' as const,
    accessibilityLayer: false,
    valueFormatter: formatShort,
    xAxisProps: {
      tickFormatter: (start: string) => formatTick(start, step),
      minTickGap: 32,
      padding: shape === 'areas' ? { left: 8, right: 8 } : {},
    },
    yAxisProps: {
      width: 44,
      allowDecimals: false,
      domain: [0, isFlat(rows, series) ? minTop : 'auto'] as [number, number | 'auto'],
      tickCount: shape === 'areas' ? 5 : 3,
    },
    tooltipProps: { content: tooltipOf(plotSeries, step) },
  }
  return shape === 'areas' ? (
    <AreaChart
      {...shared}
      series={plotSeries}
      curveType="linear"
      withDots={false}
      withGradient={false}
      fillOpacity={0.1}
      strokeWidth={1.75}
      areaChartProps={{ syncId }}
    />
  ) : (
    <BarChart {...shared} series={plotSeries} maxBarWidth={18} barChartProps={{ syncId }} />
  )
}
