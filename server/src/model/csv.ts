/** CSV as in RFC 4180, safe to open in a spreadsheet. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Start of a CSV file from which spreadsheets tell that it is UTF-8. */
export const byteOrderMark = '\ufeff'

/**
 * Starts of text that a spreadsheet would read as a formula. Those after a semicolon, tab or line break count too:
 * spreadsheets that do not split at commas would start a cell there.
 */
const formulaStart = /(?<=(?:^|[;\t\r\n])[\s"]*)[=+\-@＝＋－＠]/g

function csvCell(text: string): string {
  const safe = text.replace(formulaStart, "'$&")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
