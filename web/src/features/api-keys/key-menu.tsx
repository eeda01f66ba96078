/** Menu to reveal or revoke a key. */
import { Menu } from '@mantine/core'
import { IconEye, IconTrash } from '@tabler/icons-react'
import type { Key } from '../../api/api-keys.ts'
import { useAccess } from '../auth/use-access.ts'
import { type LoadedMenuProps, OpeningMenu } from '../../ui/layout/opening-menu.tsx'

interface KeyMenuProps extends LoadedMenuProps {
  input: { apiKey: Key; reveal: () => void; revoke: () => void }
}

export function KeyMenu({ input: { apiKey, reveal, revoke }, ...button }: KeyMenuProps) {
  const { mayGive } = useAccess()
  const obstacle = apiKey.revealable
    ? !apiKey.scopes.every(mayGive) && 'Has scopes above your role or rights'
    : 'Imported as a digest, cannot be revealed'
  return (
    <OpeningMenu {...button} position="bottom-end" width={200}>
      {obstacle === false ? (
        <Menu.Item leftSection={<IconEye size={16} />} onClick={reveal}>
          Reveal key
        </Menu.Item>
      ) : (
        <Menu.Label>{obstacle}</Menu.Label>
      )}
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={revoke}>
        Revoke key
      </Menu.Item>
    </OpeningMenu>
  )
}
