/** A terminal of its own size in tmux, in which a test types and reads what a user sees. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { mainFile, type Tool } from './support.ts'

const run = promisify(execFile)

export interface Terminal {
  /** Types the command line of the tool. */
  start: (args: readonly string[]) => Promise<void>
  /** Types text, or presses a key such as Enter, Escape or C-c. */
  press: (...keys: string[]) => Promise<void>
  type: (text: string) => Promise<void>
  screen: () => Promise<string>
  /** With the sequences that set colors. */
  coloredScreen: () => Promise<string>
  /** Waits until the screen has a text, and returns it. */
  until: (text: string | RegExp) => Promise<string>
  resize: (columns: number, rows: number) => Promise<void>
  /** Everything that was written to the terminal. */
  output: () => Promise<string>
  /** A format of tmux, such as #{alternate_on}. */
  state: (format: string) => Promise<string>
  close: () => Promise<void>
}

interface Size {
  columns: number
  rows: number
}

export async function openTerminal(
  tool: Tool,
  { columns, rows }: Size,
  environment: Record<string, string> = {},
): Promise<Terminal> {
  const socket = join(tool.folder, `tmux-${randomUUID().slice(0, 8)}`)
  const outputFile = join(tool.folder, 'output')
  const tmux = async (...args: string[]): Promise<string> =>
    (await run('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args])).stdout
  const variables = {
    PATH: process.env.PATH ?? '',
    LANG: 'C.UTF-8',
    TERM: 'screen',
    PS1: '$ ',
    HOOKLINE_CONFIG_DIR: tool.folder,
    HOOKLINE_NO_KEYRING: '1',
    ...environment,
  }
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const size = ['-x', String(columns), '-y', String(rows)]
  await tmux('new-session', '-d', ...size, 'env', '-i', ...settings, 'sh')
  await tmux('pipe-pane', `cat > '${outputFile}'`)
  const screen = async (): Promise<string> => (await tmux('capture-pane', '-p')).trimEnd()
  return {
    screen,
    coloredScreen: () => tmux('capture-pane', '-p', '-e'),
    async start(args) {
      await tmux('send-keys', '-l', [process.execPath, mainFile, ...args].map(quoted).join(' '))
      await tmux('send-keys', 'Enter')
    },
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    type: async (text) => void (await tmux('send-keys', '-l', text)),
    async until(text) {
      const deadline = performance.now() + 20_000
      for (;;) {
        const shown = await screen()
        if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) return shown
        if (performance.now() > deadline) throw new Error(`not shown: ${String(text)}\n${shown}`)
        await sleep(50)
      }
    },
    resize: async (width, height) =>
      void (await tmux('resize-window', '-x', String(width), '-y', String(height))),
    output: () => readFile(outputFile, 'utf8'),
    state: async (format) => (await tmux('display-message', '-p', format)).trim(),
    close: async () => void (await tmux('kill-server')),
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
