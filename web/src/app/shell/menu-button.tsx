/**
 * A button with a menu. The menus of the shell load on demand, because few visits need one and the menu library is large.
 * Until the first click the button is a plain one.
 */
import { type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { lazyPart, loadChunk } from '../../lib/load-chunk.ts'
import type { LoadedMenuProps } from './loaded-menu.tsx'

interface MenuButtonProps {
  load: () => Promise<(props: LoadedMenuProps) => ReactElement>
  className: string | undefined
  label?: string
  children: ReactNode
}

export function MenuButton({ load, className, label, children }: MenuButtonProps) {
  const [Menu] = useState(() => lazyPart(load))
  const [isWanted, setWanted] = useState(false)
  const prefetch = () => void loadChunk(load).catch(() => {})
  const button = (
    <button
      className={className}
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={() => setWanted(true)}
    >
      {children}
    </button>
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <Menu className={className} label={label} content={children} />
    </Suspense>
  )
}
