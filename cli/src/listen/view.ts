/**
 * The interactive view of a listener: a list of events, details of one, and keys. Everything is drawn from the state,
 * at most every 50 ms.
 */
import { emitKeypressEvents, type Key } from 'node:readline'
import type { ConsumedEvent } from '@hookline/client'
import { openInBrowser } from '../open-in-browser.ts'
import { formatTime, paint, printable } from '../output.ts'
import { cut, pad, widthOf, wrap } from '../text-width.ts'
import {
  describeDown,
  describeEnd,
  describeResult,
  describeRetry,
  type Intro,
  introLines,
} from './describe.ts'
import { type Forwarded, type ForwardedRequest, forward } from './forward.ts'
import type { ListenerEvents, Sign } from './listener.ts'

interface Row {
  event: ConsumedEvent
  result: Forwarded
  retries: number
  sign: Sign
}

const maxRows = 1_000
const drawMs = 50

// The other screen, without cursor and without wrapping: a line that is too wide must not move the others.
const enter = '\x1b[?1049h\x1b[?25l\x1b[?7l'
const leave = '\x1b[?7h\x1b[?25h\x1b[?1049l'
/** Of several lengths, the first that fits is shown. */
const listHints = [
  '↑↓ select · Enter details · r retry · o open · / filter · q quit',
  'Enter details · r retry · / filter · q quit',
  '⏎ details · r retry · q quit',
]
const detailHints = ['Esc back · ↑↓ scroll · r retry · o open · q quit', 'Esc back · r retry · q quit']

const home = '\x1b[H'
const clearLine = '\x1b[K'
const clearBelow = '\x1b[J'

export function createView(intro: Intro, quit: () => void): ListenerEvents & { close: () => void } {
  const rows: Row[] = []
  const introduction = introLines(intro)
  const state = {
    selected: 0,
    isFollowing: true,
    isDetail: false,
    scroll: 0,
    filter: '',
    isTyping: false,
    status: 'Connecting …',
    note: '',
  }
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let forwarded = 0

  function shown(): Row[] {
    if (state.filter === '') return rows
    const text = state.filter.toLowerCase()
    return rows.filter(({ event, result }) =>
      [event.id, event.type, String(result.status ?? result.error), event.request?.body ?? ''].some((part) =>
        part.toLowerCase().includes(text),
      ),
    )
  }

  function selectedRow(): Row | undefined {
    return shown()[state.selected]
  }

  function draw(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      if (!isClosed) process.stdout.write(render())
    }, drawMs)
  }

  function render(): string {
    const { columns, rows: height } = process.stdout
    const list = shown()
    if (state.isFollowing) state.selected = Math.max(0, list.length - 1)
    const head = [
      // A secret that is cut could not be copied.
      ...introduction.flatMap((line) => (line.includes('whsec_') ? wrapStyled(line, columns) : [line])),
      paint('dim', state.status),
      '',
    ]
    const footer = [state.note, footerLine(columns)]
    const space = Math.max(1, height - head.length - footer.length)
    const body = state.isDetail ? scrolled(detailLines(columns), space) : listLines(list, space)
    const lines = [
      ...head,
      ...body.slice(0, space),
      ...Array<string>(Math.max(0, space - body.length)).fill(''),
      ...footer,
    ]
    return `${home}${lines.map((line) => `${clearLine}${fit(line, columns)}`).join('\r\n')}${clearBelow}`
  }

  function scrolled(lines: readonly string[], space: number): string[] {
    state.scroll = Math.max(0, Math.min(state.scroll, lines.length - space))
    return lines.slice(state.scroll)
  }

  function footerLine(columns: number): string {
    if (state.isTyping)
      return `Filter: ${printable(state.filter)}▏ ${paint('dim', 'Enter to apply, Esc to clear')}`
    const filter = state.filter === '' ? '' : `filter "${printable(state.filter)}" · `
    const hints = state.isDetail ? detailHints : listHints
    const fitting = hints.find((hint) => widthOf(filter + hint) <= columns) ?? hints.at(-1) ?? ''
    return paint('dim', `${filter}${fitting}`)
  }

  function listLines(list: readonly Row[], space: number): string[] {
    if (list.length === 0)
      return [
        paint(
          'dim',
          state.filter === ''
            ? `No events yet. Send a test event: ${intro.commands.trigger}`
            : 'No event matches the filter.',
        ),
      ]
    const first = Math.min(Math.max(0, state.selected - space + 1), Math.max(0, list.length - space))
    return list.slice(first, first + space).map((row, index) => {
      const marker = first + index === state.selected ? paint('cyan', '❯') : ' '
      const { event, result, retries } = row
      const notes = [event.is_test ? 'test' : '', retries > 0 ? `retried ${retries}×` : '']
        .filter(Boolean)
        .join(', ')
      return `${marker} ${paint('dim', formatTime(event.accepted_at))}  ${pad(printable(event.type), 12)} ${describeResult(result)} ${paint('magenta', notes)}`
    })
  }

  function detailLines(columns: number): string[] {
    const row = selectedRow()
    if (row === undefined) return []
    const { event, result } = row
    const { request } = event
    return [
      `${paint('bold', printable(event.type))}  ${printable(event.id)}  accepted ${formatTime(event.accepted_at)}`,
      `Response: ${describeResult(result)}`,
      ...('body' in result && result.body !== ''
        ? printableLines(result.body, columns).map((line) => paint('dim', line))
        : []),
      '',
      ...(request === null
        ? []
        : [
            ...wrap(printable(`${request.method} ${request.url}`), columns).map((line) =>
              paint('bold', line),
            ),
            ...request.headers.flatMap(({ name, value }) => {
              const [first = '', ...others] = wrap(`${printable(name)}: ${printable(value)}`, columns)
              return [first.replace(/^[^:]+/, (text) => paint('cyan', text)), ...others]
            }),
            '',
            ...printableLines(prettyBody(request.body), columns),
          ]),
    ]
  }

  async function retry(): Promise<void> {
    const row = selectedRow()
    const previous = row?.event.request
    if (row === undefined || previous == null) return
    state.note = 'Retrying …'
    draw()
    const signed = await row.sign().catch((error: Error) => error)
    const request = signed instanceof Error ? previous : signed
    row.event = { ...row.event, request }
    row.result = await forward(request)
    row.retries++
    state.note =
      signed instanceof Error
        ? paint(
            'yellow',
            `Retried with the signature of ${signedAt(previous)}: ${printable(signed.message)}.`,
          )
        : 'Retried with a new signature.'
    draw()
  }

  function move(by: number): void {
    if (state.isDetail) return void (state.scroll += by)
    const last = shown().length - 1
    state.selected = Math.max(0, Math.min(last, state.selected + by))
    state.isFollowing = state.selected === last
  }

  /** New events do not change the selection while details are shown. */
  function showDetails(): void {
    if (selectedRow() === undefined) return
    Object.assign(state, { isDetail: true, isFollowing: false, scroll: 0 })
  }

  function onKey(character: string | undefined, { name, ctrl }: Key): void {
    if (ctrl && name === 'c') return quit()
    state.note = ''
    if (state.isTyping) {
      if (name === 'return') state.isTyping = false
      else if (name === 'escape') Object.assign(state, { isTyping: false, filter: '' })
      else if (name === 'backspace') state.filter = Array.from(state.filter).slice(0, -1).join('')
      else if (character !== undefined && !/\p{Cc}/u.test(character)) state.filter += character
      state.selected = Math.max(0, shown().length - 1)
      state.isFollowing = true
    } else if (name === 'q') return quit()
    else if (name === 'up' || name === 'k') move(-1)
    else if (name === 'down' || name === 'j') move(1)
    else if (name === 'return' || name === 'd') showDetails()
    else if (name === 'escape' || name === 'left') state.isDetail = false
    else if (name === 'r') void retry()
    else if (name === 'o') void open()
    else if (character === '/') Object.assign(state, { isTyping: true, isDetail: false })
    draw()
  }

  async function open(): Promise<void> {
    const row = selectedRow()
    if (row === undefined) return
    const url = new URL(`/events/${row.event.id}`, intro.url).href
    state.note = (await openInBrowser(url)) ? 'Opened in your browser.' : printable(url)
    draw()
  }

  emitKeypressEvents(process.stdin)
  process.stdin.setRawMode(true)
  process.stdin.resume()
  process.stdin.on('keypress', onKey)
  process.stdout.on('resize', draw)
  process.stdout.write(enter)
  process.on('exit', restore)
  draw()

  return {
    onConnected() {
      state.status = 'Connected. Waiting for events.'
      draw()
    },
    onRetry(error, delayMs) {
      state.status = describeRetry(error, delayMs)
      draw()
    },
    onPruned({ from, to, events }) {
      state.note = paint(
        'yellow',
        printable(`Retention deleted ${events ?? 'some'} events between ${from} and ${to}.`),
      )
      draw()
    },
    onTargetDown(error) {
      state.status = describeDown(intro, error)
      draw()
    },
    onForwarded(event, result, sign) {
      forwarded++
      rows.push({ event, result, sign, retries: 0 })
      if (rows.length > maxRows) {
        rows.shift()
        if (!state.isFollowing) state.selected = Math.max(0, state.selected - 1)
      }
      state.status = 'Connected. Waiting for events.'
      draw()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      process.stdin.off('keypress', onKey)
      process.stdout.off('resize', draw)
      restore()
      process.stdin.pause()
      console.error(describeEnd(intro, forwarded))
    },
  }
}

/** Also if the process ends early, for example by a second Ctrl+C. */
function restore(): void {
  process.off('exit', restore)
  process.stdin.setRawMode(false)
  process.stdout.write(leave)
}

/** JSON with indentation; a form or query as it is. */
function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function printableLines(text: string, columns: number): string[] {
  return text.split(/\r?\n/).flatMap((line) => wrap(printable(line), columns))
}

function signedAt({ headers }: ForwardedRequest): string {
  const timestamp = headers.find(({ name }) => name === 'webhook-timestamp')?.value
  return formatTime(new Date(Number(timestamp) * 1_000))
}

// oxlint-disable-next-line no-control-regex -- the sequences that `paint` writes
const style = /(\x1b\[\d+m)/g

/** Breaks a line that is too wide, without its styles. */
function wrapStyled(line: string, columns: number): string[] {
  const text = line.replaceAll(style, '')
  return widthOf(text) <= columns ? [line] : wrap(text, columns)
}

/** Cuts a line to the width of the terminal, without counting styles. */
function fit(line: string, columns: number): string {
  if (widthOf(line.replaceAll(style, '')) <= columns) return line
  let left = columns - 1
  let result = ''
  for (const part of line.split(style)) {
    const text = part.startsWith('\x1b') ? '' : cut(part, left)
    left -= widthOf(text)
    result += part.startsWith('\x1b') ? part : text
  }
  return `${result}\x1b[0m…`
}
