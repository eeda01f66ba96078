/** What can be done with a webhook, in a menu. */
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { HookWithHealth } from '../api/shapes.ts'
import type { Asked } from './hook-dialogs.tsx'
import { useDisable } from './use-disable.tsx'

interface HookMenuProps {
  of: HookWithHealth
  ask: (asked: Asked) => void
}

export function HookMenu({ of, ask }: HookMenuProps) {
  const { hook } = of
  const disable = useDisable()
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`What to do with webhook ${hook.id}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconSend size={16} />}
          disabled={!hook.enabled}
          onClick={() => ask({ what: 'test', of })}
        >
          Send a test
        </Menu.Item>
        <Menu.Item component={Link} to={`/webhooks/${hook.id}/edit`} leftSection={<IconPencil size={16} />}>
          Edit
        </Menu.Item>
        {hook.enabled ? (
          <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => disable(hook)}>
            Disable
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => ask({ what: 'enable', of })}>
            Enable
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={() => ask({ what: 'delete', of })}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
