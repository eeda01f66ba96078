/** What can be done with a key: see it again, end it. */
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconEye, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { type Key, stateOf } from '../../api/keys.ts'

/** Loaded when one is asked for. */
const ViewKey = lazy(async () => ({ default: (await import('./key-dialogs.tsx')).ViewKey }))
const RevokeKey = lazy(async () => ({ default: (await import('./key-dialogs.tsx')).RevokeKey }))

export function KeyActions({ of: key }: { of: Key }) {
  const [asked, setAsked] = useState<'nothing' | 'view' | 'revoke'>('nothing')
  const close = () => setAsked('nothing')
  if (stateOf(key) === 'revoked') return null
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`What to do with ${key.name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconEye size={16} />} onClick={() => setAsked('view')}>
            View the key again
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setAsked('revoke')}>
            Revoke
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {asked === 'view' && <ViewKey of={key} close={close} />}
        {asked === 'revoke' && <RevokeKey of={key} close={close} />}
      </Suspense>
    </>
  )
}
