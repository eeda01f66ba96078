/** Menu with the actions of a webhook. */
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconBell,
  IconBellOff,
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { preferencesQuery, useMute, useUnmute } from '../../../api/notices.ts'
import type { HookWithHealth } from '../../../api/types.ts'
import { describeError } from '../../../messages/errors.ts'
import { webhookName } from '../../../messages/webhook-name.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import type { DialogRequest } from './webhook-dialogs.tsx'
import { useDisable } from './use-disable.tsx'
import { useAccess } from '../../auth/use-access.ts'
import { useRetryNow } from '../../deliveries/use-retry-now.ts'

interface WebhookMenuProps {
  webhook: HookWithHealth
  openDialog: (request: DialogRequest) => void
}

export function WebhookMenu({ webhook, openDialog }: WebhookMenuProps) {
  const { hook } = webhook
  const { hasRole } = useAccess()
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${webhookName(hook)}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {hasRole('support') && (
          <Menu.Item
            leftSection={<IconSend size={16} />}
            disabled={!hook.enabled}
            onClick={() => openDialog({ kind: 'test', webhook })}
          >
            Send test event
          </Menu.Item>
        )}
        <MuteItem hook={hook} />
        {hasRole('developer') && <ManagerItems webhook={webhook} openDialog={openDialog} />}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Emails of this user about the webhook. */
function MuteItem({ hook }: { hook: HookWithHealth['hook'] }) {
  const { data } = useQuery(preferencesQuery)
  const mute = useMute()
  const unmute = useUnmute()
  const isMuted = data?.muted.some(({ id }) => id === hook.id) === true
  const change = () =>
    (isMuted ? unmute : mute).mutate(hook.id, {
      onSuccess: () =>
        toast(`${webhookName(hook)} ${isMuted ? 'unmuted' : 'muted. You get no emails about it'}`),
      onError: (error) => toast(describeError(error, true).title, 'danger'),
    })
  return (
    <Menu.Item leftSection={isMuted ? <IconBell size={16} /> : <IconBellOff size={16} />} onClick={change}>
      {isMuted ? 'Unmute notices' : 'Mute notices'}
    </Menu.Item>
  )
}

function ManagerItems({ webhook, openDialog }: WebhookMenuProps) {
  const { hook, health } = webhook
  const disable = useDisable()
  const { retry } = useRetryNow()
  return (
    <>
      {hook.enabled && health.waiting > 0 && (
        <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => retry(hook)}>
          Retry now
        </Menu.Item>
      )}
      <Menu.Item component={Link} to={`/webhooks/${hook.id}/edit`} leftSection={<IconPencil size={16} />}>
        Edit
      </Menu.Item>
      {hook.enabled ? (
        <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => disable(hook)}>
          Disable
        </Menu.Item>
      ) : (
        <Menu.Item
          leftSection={<IconPlayerPlay size={16} />}
          onClick={() => openDialog({ kind: 'enable', webhook })}
        >
          Enable
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={16} />}
        onClick={() => openDialog({ kind: 'delete', webhook })}
      >
        Delete
      </Menu.Item>
    </>
  )
}
