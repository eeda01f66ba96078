/** Channels of the account. Developers manage them. */
import { Button, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { type Channel, channelsQuery, useResendChannel, useTestChannel } from '../../../api/notices.ts'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { describeError } from '../../../messages/errors.ts'
import { channelText, describeMessage, groupText, modeText } from '../../../messages/notices.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import account from '../account.module.css'
import { useAccess } from '../../auth/use-access.ts'
import styles from './notices.module.css'

/** Loaded on demand. */
const ChannelDialog = lazyPart(async () => (await import('./channel-dialog.tsx')).ChannelDialog)
const DeleteChannel = lazyPart(async () => (await import('./delete-channel.tsx')).DeleteChannel)

type Request = { kind: 'create' } | { kind: 'edit' | 'delete'; channel: Channel }

export function Channels() {
  const channels = useQuery(channelsQuery)
  const { hasRole } = useAccess()
  const [request, setRequest] = useState<Request | null>(null)
  const close = () => setRequest(null)
  if (channels.data === undefined)
    return channels.isError ? (
      <ErrorState error={channels.error} retry={() => void channels.refetch()} />
    ) : (
      <Skeleton height={69} radius="md" />
    )
  return (
    <>
      {channels.data.length === 0 ? (
        <p className={styles.empty}>
          {hasRole('developer')
            ? 'No channels. Add one to get notices in Slack, Teams or a shared mailbox.'
            : 'No channels. Developers can add one for Slack, Teams or a shared mailbox.'}
        </p>
      ) : (
        <ul className={account.sessions}>
          {channels.data.map((channel) => (
            <ChannelItem key={channel.id} channel={channel} open={setRequest} />
          ))}
        </ul>
      )}
      {hasRole('developer') && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => setRequest({ kind: 'create' })}
        >
          Add channel
        </Button>
      )}
      <Suspense>
        {request?.kind === 'create' && <ChannelDialog close={close} />}
        {request?.kind === 'edit' && <ChannelDialog channel={request.channel} close={close} />}
        {request?.kind === 'delete' && <DeleteChannel channel={request.channel} close={close} />}
      </Suspense>
    </>
  )
}

interface ChannelItemProps {
  channel: Channel
  open: (request: Request) => void
}

function ChannelItem({ channel, open }: ChannelItemProps) {
  const { name, kind, target, groups, mode, is_confirmed: isConfirmed, last } = channel
  const { hasRole } = useAccess()
  const labels = groups.map((group) => groupText[group].label.toLowerCase()).join(', ')
  return (
    <li className={account.session}>
      <div className={account.sessionText}>
        <p className={account.name}>
          <bdi>{name}</bdi>
          {!isConfirmed && <StateBadge tone="warning" label="Not confirmed" />}
          {last !== null && <StateBadge {...describeMessage(last)} />}
        </p>
        <p className={styles.muted}>
          {channelText[kind].label} · <bdi>{target}</bdi> · {modeText[mode]} · {labels}
        </p>
        {last !== null && (
          <p className={styles.muted}>
            Last {last.is_test ? 'test' : 'message'} <RelativeTime at={last.created_at} />
          </p>
        )}
      </div>
      {hasRole('developer') && <ChannelActions channel={channel} open={open} />}
    </li>
  )
}

function onError(error: Error): void {
  toast(describeError(error, true).title, 'danger')
}

function ChannelActions({ channel, open }: ChannelItemProps) {
  const { name, is_confirmed: isConfirmed } = channel
  const test = useTestChannel(channel)
  const resend = useResendChannel(channel)
  return (
    <div className={styles.line}>
      {isConfirmed ? (
        <Button
          variant="default"
          size="xs"
          loading={test.isPending}
          aria-label={`Send test to ${name}`}
          onClick={() => test.mutate(undefined, { onSuccess: () => toast('Test message queued'), onError })}
        >
          Send test
        </Button>
      ) : (
        <Button
          variant="default"
          size="xs"
          loading={resend.isPending}
          aria-label={`Resend link of ${name}`}
          onClick={() => resend.mutate(undefined, { onSuccess: () => toast('New link sent'), onError })}
        >
          Resend link
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        aria-label={`Edit ${name}`}
        onClick={() => open({ kind: 'edit', channel })}
      >
        Edit
      </Button>
      <Button
        variant="default"
        size="xs"
        aria-label={`Delete ${name}`}
        onClick={() => open({ kind: 'delete', channel })}
      >
        Delete
      </Button>
    </div>
  )
}
