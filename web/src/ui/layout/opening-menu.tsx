/** A menu that was just requested: its button takes over the focus of the plain one and opens the menu. */
import { Menu, type MenuProps } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

/** The button of the menu. */
export interface LoadedMenuProps {
  className: string | undefined
  label: string | undefined
  content: ReactNode
}

interface OpeningMenuProps extends LoadedMenuProps, Pick<MenuProps, 'position' | 'width'> {
  /** The dropdown. */
  children: ReactNode
}

export function OpeningMenu({ className, label, content, children, ...props }: OpeningMenuProps) {
  const target = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Effects run twice in development.
    if (target.current?.ariaExpanded === 'true') return
    target.current?.focus()
    target.current?.click()
  }, [])
  return (
    <Menu {...props}>
      <Menu.Target>
        <button ref={target} className={className} type="button" aria-label={label}>
          {content}
        </button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
