/** What can be done with a key: see it again, end it. */
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconEye, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { type Key, stateOf, useRevokeKey, useViewKey } from '../../api/keys.ts'
import { ConfirmDanger } from '../../parts/confirm-danger.tsx'
import { PasswordPrompt } from '../../parts/password-prompt.tsx'
import { say } from '../../parts/say.ts'
import { ShownKey } from './shown-key.tsx'

type Asked = 'nothing' | 'view' | 'revoke'

export function KeyActions({ of: key }: { of: Key }) {
  const [asked, setAsked] = useState<Asked>('nothing')
  const view = useViewKey()
  const revoke = useRevokeKey()
  const close = () => {
    setAsked('nothing')
    view.reset()
  }
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
      {asked === 'view' &&
        (view.data === undefined ? (
          <PasswordPrompt
            title={`View “${key.name}” again`}
            action="Show the key"
            act={(password) => view.mutateAsync({ id: key.id, password })}
            close={close}
          >
            Give your password to see the whole key. That you looked is kept in the audit log.
          </PasswordPrompt>
        ) : (
          <ShownKey title={`The key “${key.name}”`} secret={view.data.secret} close={close} />
        ))}
      {asked === 'revoke' && (
        <ConfirmDanger
          title={`Revoke “${key.name}”?`}
          action="Revoke the key"
          act={async () => {
            await revoke.mutateAsync(key)
            say(`“${key.name}” is revoked.`)
          }}
          close={close}
        >
          Every call with this key is refused from now on, everywhere. Webhooks that it registered stay and go
          on delivering. A revoked key cannot be brought back.
        </ConfirmDanger>
      )}
    </>
  )
}
