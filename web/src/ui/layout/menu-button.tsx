/**
 * A button with a menu that loads on demand, for pages on which few visits need one: the menu library is large. Until the
 * first click the button is a plain one.
 */
import { type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { lazyPart, loadChunk } from '../../lib/load-chunk.ts'
import type { LoadedMenuProps } from './opening-menu.tsx'

interface MenuButtonProps<Input> {
  load: () => Promise<(props: LoadedMenuProps & { input: Input }) => ReactElement>
  /** What the menu works on. */
  input: Input
  className: string | undefined
  label?: string
  children: ReactNode
}

export function MenuButton<Input>({ load, input, className, label, children }: MenuButtonProps<Input>) {
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
      <Menu input={input} className={className} label={label} content={children} />
    </Suspense>
  )
}
