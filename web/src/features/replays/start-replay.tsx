/** Starts a replay after showing the number of deliveries, the rate limit and the duration. */
import { Button, Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Fragment, type FormEvent, useState } from 'react'
import type { ReplayCount, Selection } from '../../api/types.ts'
import { replayCountQuery, useStartReplay } from '../../api/replays.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import dialog from '../../ui/feedback/dialog.module.css'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { TextLink } from '../../ui/layout/links.tsx'
import { plural } from '../../lib/format-number.ts'
import { formatDuration } from '../../lib/format-duration.ts'
import { describeSkipped } from '../../messages/replays.ts'
import { webhookName } from '../../messages/webhook-name.ts'

const defaultRate = '50'
const maxRate = 1_000

/** Says which selected deliveries will not be sent, and how to send them. */
function SkippedNotice({ count: { skipped, disabled_hooks: hooks } }: { count: ReplayCount }) {
  const total = skipped.disabled + skipped.deleted + skipped.pending + skipped.missing
  if (total === 0) return null
  return (
    <Notice
      tone="warning"
      title={`${plural(total, 'delivery', 'deliveries')} will be skipped: ${describeSkipped(skipped).toLowerCase()}`}
    >
      {skipped.disabled > 0 && (
        <p>
          Enable {hooks.length === 1 ? 'the webhook' : 'the webhooks'} first to replay{' '}
          {skipped.disabled === 1 ? 'this delivery' : 'these deliveries'}:{' '}
          {hooks.map((webhook, index) => (
            <Fragment key={webhook.id}>
              {index > 0 && ', '}
              <TextLink to="/webhooks/$id" params={{ id: String(webhook.id) }}>
                <bdi>{webhookName(webhook)}</bdi>
              </TextLink>
            </Fragment>
          ))}
          .
        </p>
      )}
    </Notice>
  )
}

export function StartReplay({ selection, close }: { selection: Selection; close: () => void }) {
  const navigate = useNavigate()
  const count = useQuery(replayCountQuery(selection))
  const start = useStartReplay()
  const [rate, setRate] = useState(defaultRate)
  const isValidRate = /^[1-9]\d{0,3}$/.test(rate) && Number(rate) <= maxRate
  const total = count.data?.count
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate(
      { selection, max_per_second: Number(rate) },
      {
        onSuccess({ replay }) {
          close()
          toast('Replay started')
          void navigate({ to: '/replays/$id', params: { id: String(replay.id) } })
        },
      },
    )
  }
  return (
    <Dialog title="Start replay" close={close} isBusy={start.isPending}>
      <form className={dialog.body} onSubmit={submit} noValidate>
        {count.isPending && <Skeleton height={44} />}
        <ErrorNotice error={count.error} isChange={false} />
        {count.data !== undefined && (
          <div role="status">
            {total === 0 ? (
              'Nothing to replay'
            ) : (
              <>
                <strong>
                  {count.data.is_exact ? '' : 'At least '}
                  {plural(count.data.count, 'delivery', 'deliveries')}
                </strong>{' '}
                will be sent to the current URL with the same <code>webhook-id</code>.
              </>
            )}
            <SkippedNotice count={count.data} />
          </div>
        )}
        {total !== undefined && total > 1 && (
          <TextInput
            label="Rate limit (per second)"
            description={
              isValidRate
                ? `Takes about ${formatDuration(Math.max(1, total / Number(rate)) * 1_000)}. You can pause or cancel the replay.`
                : 'You can pause or cancel the replay.'
            }
            inputMode="numeric"
            value={rate}
            onChange={(event) => setRate(event.currentTarget.value.trim())}
            error={isValidRate ? undefined : `Enter a whole number from 1 to ${maxRate}.`}
          />
        )}
        <ErrorNotice error={start.error} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={start.isPending}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={start.isPending}
            disabled={!isValidRate || total === undefined || total === 0}
          >
            Start replay
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
