/** Builds Grafana dashboards from a short description: rows of panels, each with one or more PromQL expressions. */

/** Units of Grafana. */
type Unit = 's' | 'ops' | 'short' | 'percentunit' | 'bytes'

export interface Panel {
  title: string
  description?: string
  unit: Unit
  /** Expressions by legend. `{{label}}` in a legend shows a label. */
  series: Record<string, string>
  /** A line at this value. */
  threshold?: number
}

export interface Dashboard {
  /** Also the name of the file. */
  uid: string
  title: string
  rows: Record<string, Panel[]>
}

const columns = 24
const panelHeight = 7

export function buildDashboard({ uid, title, rows }: Dashboard): object {
  const panels: object[] = []
  let y = 0
  for (const [rowTitle, row] of Object.entries(rows)) {
    panels.push({ type: 'row', title: rowTitle, collapsed: false, gridPos: { x: 0, y, w: columns, h: 1 } })
    const w = columns / row.length
    for (const [index, panel] of row.entries())
      panels.push({ ...buildPanel(panel), gridPos: { x: index * w, y: y + 1, w, h: panelHeight } })
    y += 1 + panelHeight
  }
  return {
    uid,
    title,
    tags: ['hookline'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: panels.map((panel, index) => ({ id: index + 1, ...panel })),
  }
}

function buildPanel({ title, description, unit, series, threshold }: Panel): object {
  return {
    type: 'timeseries',
    title,
    ...(description !== undefined && { description }),
    datasource: { type: 'prometheus', uid: '${datasource}' },
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(threshold !== undefined && {
          custom: { thresholdsStyle: { mode: 'line' } },
          thresholds: {
            mode: 'absolute',
            steps: [
              { color: 'transparent', value: null },
              { color: 'red', value: threshold },
            ],
          },
        }),
      },
      overrides: [],
    },
    targets: Object.entries(series).map(([legendFormat, expr], index) => ({
      refId: String.fromCodePoint(65 + index),
      expr,
      legendFormat,
    })),
  }
}
