/**
 * The interactive view of a listener: a list of events, details of one, and keys. Everything is drawn from the state,
 * at most every 50 ms.
 */
import { emitKeypressEvents, type Key } from 'node:readline'
import type { ConsumedEvent } from '@hookline/client'
import { openInBrowser } from '../open-in-browser.ts'
import { formatTime, paint, printable } from '../output.ts'
import { describeDown, describeResult, describeRetry, type Intro, introLines } from './describe.ts'
import { type Forwarded, forward } from './forward.ts'
import type { ListenerEvents } from './listener.ts'

interface Row {
  event: ConsumedEvent
  result: Forwarded
  retries: number
}

const maxRows = 1_000
const drawMs = 50
/** Receivers reject signatures that are older. */
const signatureMs = 5 * 60_000

const enter = '\x1b[?1049h\x1b[?25l'
const leave = '\x1b[?25h\x1b[?1049l'
const home = '\x1b[H'
const clearLine = '\x1b[K'
const clearBelow = '\x1b[J'

export function createView(intro: Intro, quit: () => void): ListenerEvents & { close: () => void } {
  const rows: Row[] = []
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
    const head = [...introLines(intro), paint('dim', state.status), '']
    const footer = ['', footerLine()]
    const space = Math.max(1, height - head.length - footer.length)
    const body = state.isDetail ? scrolled(detailLines(columns), space) : listLines(list, space)
    const lines = [
      ...head,
      ...body.slice(0, space),
      ...Array<string>(Math.max(0, space - body.length)).fill(''),
      ...footer,
    ]
    return `${home}${lines.map((line) => `${fit(line, columns)}${clearLine}`).join('\r\n')}${clearBelow}`
  }

  function scrolled(lines: readonly string[], space: number): string[] {
    state.scroll = Math.max(0, Math.min(state.scroll, lines.length - space))
    return lines.slice(state.scroll)
  }

  function footerLine(): string {
    if (state.isTyping)
      return `Filter: ${printable(state.filter)}▏ ${paint('dim', 'Enter to apply, Esc to clear')}`
    const keys = state.isDetail
      ? 'Esc back · ↑↓ scroll · r retry · o open · q quit'
      : '↑↓ select · Enter details · r retry · o open · / filter · q quit'
    const filter = state.filter === '' ? '' : ` · filter "${printable(state.filter)}"`
    return paint('dim', `${keys}${filter}`) + (state.note === '' ? '' : `  ${state.note}`)
  }

  function listLines(list: readonly Row[], space: number): string[] {
    if (list.length === 0)
      return [
        paint(
          'dim',
          state.filter === ''
            ? 'No events yet. Send a test event: hookline trigger sms_mo'
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
      return `${marker} ${paint('dim', formatTime(event.accepted_at))}  ${printable(event.type).padEnd(12)} ${describeResult(result)} ${paint('magenta', notes)}`
    })
  }

  function detailLines(columns: number): string[] {
    const row = selectedRow()
    if (row === undefined) return []
    const { event, result } = row
    const { request } = event
    return [
      `${paint('bold', printable(event.type))}  ${event.id}  accepted ${formatTime(event.accepted_at)}`,
      `Response: ${describeResult(result)}`,
      ...('body' in result && result.body !== ''
        ? wrap(printable(result.body), columns).map((line) => paint('dim', line))
        : []),
      '',
      ...(request === null
        ? []
        : [
            paint('bold', `${request.method} ${printable(request.url)}`),
            ...request.headers.map(
              ({ name, value }) => `${paint('cyan', printable(name))}: ${printable(value)}`,
            ),
            '',
            ...prettyBody(request.body).flatMap((line) => wrap(line, columns)),
          ]),
    ]
  }

  async function retry(): Promise<void> {
    const row = selectedRow()
    const request = row?.event.request
    if (row === undefined || request == null) return
    state.note = 'Retrying …'
    draw()
    row.result = await forward(request)
    row.retries++
    const timestamp = Number(request.headers.find(({ name }) => name === 'webhook-timestamp')?.value)
    const isOld = Date.now() - timestamp * 1_000 > signatureMs
    state.note = isOld
      ? paint('yellow', 'The signature is older than 5 minutes. For a new one: hookline listen … --since 10m')
      : 'Retried.'
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

  function onKey(character: string | undefined, { name, ctrl, sequence }: Key): void {
    if (ctrl && name === 'c') return quit()
    state.note = ''
    if (state.isTyping) {
      if (name === 'return') state.isTyping = false
      else if (name === 'escape') Object.assign(state, { isTyping: false, filter: '' })
      else if (name === 'backspace') state.filter = state.filter.slice(0, -1)
      else if (character !== undefined && sequence?.length === 1 && !ctrl) state.filter += character
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
    state.note = (await openInBrowser(url)) ? 'Opened in your browser.' : url
    draw()
  }

  emitKeypressEvents(process.stdin)
  process.stdin.setRawMode(true)
  process.stdin.resume()
  process.stdin.on('keypress', onKey)
  process.stdout.on('resize', draw)
  process.stdout.write(enter)
  draw()

  return {
    onConnected() {
      intro.isUp = true
      state.status = 'Connected. Waiting for events.'
      draw()
    },
    onRetry(error, delayMs) {
      state.status = describeRetry(error, delayMs)
      draw()
    },
    onPruned({ from, to, events }) {
      state.note = paint('yellow', `Retention deleted ${events ?? 'some'} events between ${from} and ${to}.`)
      draw()
    },
    onTargetDown(error) {
      state.status = describeDown(intro, error)
      draw()
    },
    onForwarded(event, result) {
      rows.push({ event, result, retries: 0 })
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
      process.stdin.setRawMode(false)
      process.stdin.pause()
      process.stdout.write(leave)
      console.error(
        `${rows.length === 1 ? '1 event' : `${rows.length} events`} forwarded. To continue: hookline listen ${intro.target.host}`,
      )
    },
  }
}

/** JSON with indentation; a form or query as it is. */
function prettyBody(body: string): string[] {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).split('\n').map(printable)
  } catch {
    return [printable(body)]
  }
}

function wrap(text: string, columns: number): string[] {
  return text.match(new RegExp(`.{1,${Math.max(20, columns)}}`, 'gu')) ?? []
}

// oxlint-disable-next-line no-control-regex -- the sequences that `paint` writes
const style = /(\x1b\[\d+m)/g

/** Cuts a line to the width of the terminal, without counting styles. */
function fit(line: string, columns: number): string {
  if (line.replaceAll(style, '').length <= columns) return line
  let width = 0
  let result = ''
  for (const part of line.split(style)) {
    if (part.startsWith('\x1b')) result += part
    else {
      const text = part.slice(0, Math.max(0, columns - 1 - width))
      result += text
      width += text.length
    }
  }
  return `${result}\x1b[0m…`
}
