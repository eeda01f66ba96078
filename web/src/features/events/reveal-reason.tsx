/** Why personal data is revealed. Members below developer must say it, for the audit log. */
import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useAccess } from '../auth/use-access.ts'

interface RevealReason {
  /** Undefined if the member need not give one. */
  reason: string | undefined
  isMissing: boolean
  field: ReactNode
}

const maxLength = 200

export function useRevealReason(): RevealReason {
  const isNeeded = !useAccess().hasRole('developer')
  const [text, setText] = useState('')
  const reason = text.trim()
  return {
    reason: isNeeded ? reason : undefined,
    isMissing: isNeeded && reason === '',
    field: isNeeded && (
      <TextInput
        label="Reason"
        description="For the audit log, such as the number of a ticket."
        maxLength={maxLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
    ),
  }
}
