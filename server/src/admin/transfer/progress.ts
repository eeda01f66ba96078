/** Reports progress on standard error: one line that is updated on a terminal, otherwise a line every few seconds. */
export interface Progress {
  update: (records: number, ratio: number | undefined) => void
  done: () => void
}

const terminalMs = 200
const logMs = 5_000

export function createProgress(action: string, output: NodeJS.WriteStream = process.stderr): Progress {
  const startedAt = performance.now()
  let shownAt = startedAt
  return {
    update(records, ratio) {
      const now = performance.now()
      if (now - shownAt < (output.isTTY ? terminalMs : logMs)) return
      shownAt = now
      const perSecond = Math.round((records * 1_000) / (now - startedAt))
      const percent = ratio === undefined ? '' : `, ${Math.floor(ratio * 100)}%`
      const text = `${action}: ${count(records)} records${percent}, ${count(perSecond)} per second`
      output.write(output.isTTY ? `\r${text}\x1b[K` : `${text}\n`)
    },
    done() {
      if (output.isTTY) output.write('\r\x1b[K')
    },
  }
}

export function count(number: number): string {
  return number.toLocaleString('en-US')
}
