/** Exports the results of the current search as a file. */
import { Button, Checkbox, Radio } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { EventsSearch } from '../../../api/events.ts'
import {
  exportEvents,
  type ExportFormat,
  type ExportProgress,
  type ExportResult,
} from '../../../api/export-events.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import dialog from '../../../ui/feedback/dialog.module.css'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { formatNumber, plural } from '../../../lib/format-number.ts'
import { useAccess } from '../../auth/use-access.ts'
import { hasFilters } from '../event-filters.tsx'
import { useRevealReason } from '../reveal-reason.tsx'

interface ExportDialogProps {
  search: EventsSearch
  close: () => void
}

type Progress =
  | { step: 'choose' }
  | { step: 'running'; progress: ExportProgress }
  | { step: 'done'; result: ExportResult }
  | { step: 'failed'; error: unknown }

export function ExportDialog({ search, close }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>('csv')
  const { canReveal } = useAccess()
  const { reason, isMissing, field } = useRevealReason()
  const [isRevealed, setRevealed] = useState(false)
  const [progress, setProgress] = useState<Progress>({ step: 'choose' })
  const [part, setPart] = useState(1)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (cursor: string | undefined, nextPart: number) => {
    const abort = new AbortController()
    running.current = abort
    setPart(nextPart)
    setProgress({ step: 'running', progress: { events: 0, bytes: 0 } })
    try {
      const result = await exportEvents({
        search,
        format,
        isRevealed,
        reason,
        cursor,
        signal: abort.signal,
        onProgress: (current) => setProgress({ step: 'running', progress: current }),
      })
      save(result.file, `events${nextPart === 1 ? '' : `-${nextPart}`}.${format}`)
      setProgress({ step: 'done', result })
    } catch (error) {
      if (!abort.signal.aborted) setProgress({ step: 'failed', error })
    }
  }
  const cancel = () => {
    running.current?.abort()
    close()
  }
  const next = progress.step === 'done' ? progress.result.next : null
  return (
    <Dialog title="Export events" close={cancel} isBusy={progress.step === 'running'}>
      <div className={dialog.body}>
        {(progress.step === 'choose' || progress.step === 'failed') && (
          <>
            <p>
              Exports {hasFilters(search) ? 'all results of the current search' : 'all events'}, newest first:
              up to 50,000 events per file. The audit log records every export.
            </p>
            <Radio.Group label="Format" value={format} onChange={(value) => setFormat(value)}>
              <Radio mt="xs" value="csv" label="CSV, for spreadsheets" />
              <Radio mt="xs" value="jsonl" label="JSON Lines, one event per line" />
            </Radio.Group>
            {canReveal && (
              <Checkbox
                label="Reveal personal data"
                description="Exports complete numbers. Otherwise they are masked."
                checked={isRevealed}
                onChange={(event) => setRevealed(event.currentTarget.checked)}
              />
            )}
            {isRevealed && field}
            {progress.step === 'failed' && <ErrorNotice error={progress.error} isChange={false} />}
          </>
        )}
        {progress.step === 'running' && (
          <p role="status">
            Exporting… {plural(progress.progress.events, 'event')}, {formatSize(progress.progress.bytes)}
          </p>
        )}
        {progress.step === 'done' && next === null && (
          <Notice
            tone="success"
            role="status"
            title={`${plural(progress.result.events, 'event')} exported${part === 1 ? '' : ` in part ${part}`}`}
          >
            The export is complete.
          </Notice>
        )}
        {progress.step === 'done' && next !== null && (
          <Notice
            tone="warning"
            role="status"
            title={`Export cut off after ${plural(progress.result.events, 'event')}`}
          >
            A file has at most 50,000 events and takes at most 60 seconds. Its last line says that it is
            incomplete. Export the next part, or narrow the search.
          </Notice>
        )}
        <div className={dialog.actions}>
          <Button variant="default" onClick={cancel}>
            {progress.step === 'done' ? 'Close' : 'Cancel'}
          </Button>
          {next !== null && <Button onClick={() => void start(next, part + 1)}>Export next part</Button>}
          {(progress.step === 'choose' || progress.step === 'failed') && (
            <Button disabled={isRevealed && isMissing} onClick={() => void start(undefined, 1)}>
              Export events
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function formatSize(bytes: number): string {
  return bytes < 1_000_000
    ? `${formatNumber(Math.ceil(bytes / 1_000))} kB`
    : `${formatNumber(Math.round(bytes / 100_000) / 10)} MB`
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser has the file once the click is handled.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
