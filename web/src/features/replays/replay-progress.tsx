/** Shows the progress of a replay as a bar and as text. */
import type { Replay } from '../../api/types.ts'
import { Meter } from '../../ui/feedback/meter.tsx'
import { formatNumber } from '../../lib/format-number.ts'
import { formatPercent } from '../../lib/format-duration.ts'
import { replayStatus } from '../../messages/replays.ts'

/** Counts finished deliveries, including skipped ones. */
function finishedCount({ delivered, failed, skipped }: Replay): number {
  return delivered + failed + skipped
}

function ratioOf(replay: Replay): number {
  if (replay.total === 0) return replay.state === 'done' ? 1 : 0
  return Math.min(1, finishedCount(replay) / replay.total)
}

export function ReplayProgress({ replay }: { replay: Replay }) {
  const ratio = ratioOf(replay)
  return (
    <Meter
      ratio={ratio}
      tone={replayStatus(replay).tone}
      label={`Replay ${replay.id}`}
      text={`${formatNumber(finishedCount(replay))} of ${formatNumber(replay.total)} (${formatPercent(ratio)})`}
    />
  )
}
