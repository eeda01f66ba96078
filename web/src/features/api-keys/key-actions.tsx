/** Menu to reveal or revoke a key. */
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconEye, IconTrash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../lib/load-chunk.ts'
import { type Key, stateOf } from '../../api/api-keys.ts'

/** Loaded on demand. */
const ViewKey = lazyPart(async () => (await import('./key-dialogs.tsx')).ViewKey)
const RevokeKey = lazyPart(async () => (await import('./key-dialogs.tsx')).RevokeKey)

export function KeyActions({ apiKey: key }: { apiKey: Key }) {
  const [dialog, setDialog] = useState<'none' | 'view' | 'revoke'>('none')
  const close = () => setDialog('none')
  if (stateOf(key) === 'revoked') return null
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${key.name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {key.revealable ? (
            <Menu.Item leftSection={<IconEye size={16} />} onClick={() => setDialog('view')}>
              Reveal key
            </Menu.Item>
          ) : (
            <Menu.Label>Imported as a digest, cannot be revealed</Menu.Label>
          )}
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setDialog('revoke')}>
            Revoke key
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {dialog === 'view' && <ViewKey apiKey={key} close={close} />}
        {dialog === 'revoke' && <RevokeKey apiKey={key} close={close} />}
      </Suspense>
    </>
  )
}
