/** The dialogs about a webhook: which one is open, and of which webhook. */
import type { HookWithHealth } from '../api/shapes.ts'
import { DeleteHook } from './delete-hook.tsx'
import { EnableHook } from './enable-hook.tsx'
import { TestHook } from './test-hook.tsx'

export interface Asked {
  /** `testNow`: a test that is sent without being asked for again. */
  what: 'test' | 'testNow' | 'enable' | 'delete'
  /** As it was when the dialog opened: what is about to change must not change what is asked. */
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
  if (what === 'test' || what === 'testNow')
    return <TestHook hook={of.hook} isSentAtOnce={what === 'testNow'} close={close} />
  if (what === 'enable') return <EnableHook of={of} close={close} />
  return <DeleteHook of={of} close={close} {...(whenDeleted && { whenDeleted })} />
}
