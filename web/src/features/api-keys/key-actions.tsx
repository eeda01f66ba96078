/** Actions of a key: a menu, and the dialog that it opens. */
import { IconDots } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { type Key, stateOf } from '../../api/api-keys.ts'
import { lazyPart } from '../../lib/load-chunk.ts'
import { MenuButton } from '../../ui/layout/menu-button.tsx'
import menuButton from '../../ui/layout/menu-button.module.css'

/** Loaded on demand. */
const ViewKey = lazyPart(async () => (await import('./key-dialogs.tsx')).ViewKey)
const RevokeKey = lazyPart(async () => (await import('./key-dialogs.tsx')).RevokeKey)

export function KeyActions({ apiKey: key }: { apiKey: Key }) {
  const [dialog, setDialog] = useState<'none' | 'view' | 'revoke'>('none')
  const close = () => setDialog('none')
  if (stateOf(key) === 'revoked' || !key.manageable) return null
  return (
    <>
      <MenuButton
        className={menuButton.icon}
        label={`Actions for ${key.name}`}
        load={async () => (await import('./key-menu.tsx')).KeyMenu}
        input={{ apiKey: key, reveal: () => setDialog('view'), revoke: () => setDialog('revoke') }}
      >
        <IconDots size={18} aria-hidden="true" />
      </MenuButton>
      <Suspense>
        {dialog === 'view' && <ViewKey apiKey={key} close={close} />}
        {dialog === 'revoke' && <RevokeKey apiKey={key} close={close} />}
      </Suspense>
    </>
  )
}
