/** How far a replay is: a bar, and in words. */
import type { Replay } from '../api/shapes.ts'
import { ShareBar } from '../parts/share-bar.tsx'
import { figure } from '../words/count.ts'
import { percentWords } from '../words/figures.ts'

/** Deliveries that have come to an end, those that were not sent at all included. */
function ended({ delivered, failed, skipped }: Replay): number {
  return delivered + failed + skipped
}

function shareOf(replay: Replay): number {
  if (replay.total === 0) return replay.state === 'done' ? 1 : 0
  return Math.min(1, ended(replay) / replay.total)
}

export function ReplayProgress({ of: replay }: { of: Replay }) {
  const share = shareOf(replay)
  const { failed, state } = replay
  return (
    <ShareBar
      share={share}
      tone={state === 'done' ? (failed > 0 ? 'attention' : 'good') : 'accent'}
      label={`Replay ${replay.id}`}
      words={`${figure(ended(replay))} of ${figure(replay.total)} (${percentWords(share)})`}
    />
  )
}
