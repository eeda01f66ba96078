/** SVG helpers for the charts. The colors are readable on white and on black, because there is no background. */
export const palette = ['#3b82c4', '#d9822b', '#3f9c6b', '#b0569b', '#8a8f3c', '#c4504a']
export const ink = '#7d7d7d'

export const width = 800

interface TextOptions {
  size?: number
  anchor?: 'start' | 'middle' | 'end'
  color?: string
  isBold?: boolean
}

export function chart(title: string, height: number, parts: readonly string[]): string {
  const heading = text(10, 24, title, { size: 17, isBold: true })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" role="img" aria-label="${escaped(title)}">
${[heading, ...parts].join('\n')}
</svg>
`
}

export function text(x: number, y: number, content: string, options: TextOptions = {}): string {
  const { size = 13, anchor = 'start', color = ink, isBold = false } = options
  const weight = isBold ? ' font-weight="bold"' : ''
  return `<text x="${at(x)}" y="${at(y)}" font-size="${size}" text-anchor="${anchor}" fill="${color}"${weight}>${escaped(content)}</text>`
}

export function bar(x: number, y: number, barWidth: number, height: number, color: string): string {
  return `<rect x="${at(x)}" y="${at(y)}" width="${at(Math.max(0, barWidth))}" height="${at(height)}" fill="${color}"/>`
}

export function line(
  points: ReadonlyArray<readonly [number, number]>,
  color: string,
  { thickness = 1, dashes = '' } = {},
): string {
  const dashed = dashes === '' ? '' : ` stroke-dasharray="${dashes}"`
  const path = points.map(([x, y]) => `${at(x)},${at(y)}`).join(' ')
  return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="${thickness}"${dashed}/>`
}

export function dot(x: number, y: number, color: string): string {
  return `<circle cx="${at(x)}" cy="${at(y)}" r="3.5" fill="${color}"/>`
}

/** Returns at most six round tick values, from 0 to at least the largest value. */
export function ticks(largest: number): number[] {
  const rough = largest / 5
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, count) => count * step)
}

function at(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
