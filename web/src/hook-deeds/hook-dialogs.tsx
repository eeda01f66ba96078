/** The dialogs about a webhook: which one is open, and of which webhook. */
import type { HookWithHealth } from '../api/shapes.ts'
import { DeleteHook } from './delete-hook.tsx'
import { EnableHook } from './enable-hook.tsx'
import { TestHook } from './test-hook.tsx'

export interface Asked {
  what: 'test' | 'enable' | 'delete'
  of: HookWithHealth
}

interface HookDialogsProps {
  asked: Asked | null
  close: () => void
  whenDeleted?: () => void
}

export function HookDialogs({ asked, close, whenDeleted }: HookDialogsProps) {
  if (asked === null) return null
  const { what, of } = asked
  if (what === 'test') return <TestHook hook={of.hook} close={close} />
  if (what === 'enable') return <EnableHook of={of} close={close} />
  return <DeleteHook of={of} close={close} {...(whenDeleted && { whenDeleted })} />
}
