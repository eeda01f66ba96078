/** Before anything is sent again: how many deliveries that is, how fast, how long it takes. */
import { Button, Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Selection } from '../api/shapes.ts'
import { replayCountQuery, useStartReplay } from '../api/replays.ts'
import { Dialog } from '../parts/dialog.tsx'
import dialog from '../parts/dialog.module.css'
import { FailureNote } from '../parts/failure-note.tsx'
import { say } from '../parts/say.ts'
import { counted } from '../words/count.ts'
import { durationWords } from '../words/figures.ts'

const usualRate = '50'
const mostRate = 1_000

export function StartReplay({ selection, close }: { selection: Selection; close: () => void }) {
  const navigate = useNavigate()
  const count = useQuery(replayCountQuery(selection))
  const start = useStartReplay()
  const [rate, setRate] = useState(usualRate)
  const isRate = /^[1-9]\d{0,3}$/.test(rate) && Number(rate) <= mostRate
  const total = count.data?.count
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate(
      { selection, most_per_second: Number(rate) },
      {
        onSuccess({ replay }) {
          close()
          say('The replay has begun.')
          void navigate({ to: '/replays/$id', params: { id: String(replay.id) } })
        },
      },
    )
  }
  return (
    <Dialog title="Send again" close={close} isBusy={start.isPending}>
      <form className={dialog.body} onSubmit={submit} noValidate>
        {count.isPending && <Skeleton height={44} />}
        <FailureNote error={count.error} isChange={false} />
        {count.data !== undefined && (
          <p role="status">
            {total === 0 ? (
              'Nothing of this can be sent again.'
            ) : (
              <>
                <strong>
                  {count.data.is_exact ? '' : 'At least '}
                  {counted(count.data.count, 'delivery', 'deliveries')}
                </strong>{' '}
                will be made anew, to the webhook as it is set now, with the same <code>webhook-id</code>, by
                which receivers tell what is sent again from new events.
              </>
            )}
          </p>
        )}
        {total !== undefined && total > 1 && (
          <TextInput
            label="At most so many a second"
            description={
              isRate
                ? `Takes about ${durationWords(Math.max(1, total / Number(rate)) * 1_000)}; you can pause or cancel it.`
                : 'You can pause or cancel it at any time.'
            }
            inputMode="numeric"
            value={rate}
            onChange={(event) => setRate(event.currentTarget.value.trim())}
            error={isRate ? undefined : `Give a whole number from 1 to ${mostRate}.`}
          />
        )}
        <FailureNote error={start.error} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={start.isPending}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={start.isPending}
            disabled={!isRate || total === undefined || total === 0}
          >
            Send again
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
