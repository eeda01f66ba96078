import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAddPasskey } from '../../api/passkeys.ts'
import { formatBrowser } from '../../lib/browser.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { PasswordPrompt } from '../auth/password-prompt.tsx'

interface AddPasskeyProps {
  /** Shows the recovery codes that the first passkey creates. */
  showCodes: (codes: readonly string[]) => void
  close: () => void
}

export function AddPasskey({ showCodes, close }: AddPasskeyProps) {
  const add = useAddPasskey()
  const [name, setName] = useState(() => formatBrowser(navigator.userAgent))
  return (
    <PasswordPrompt
      title="Add passkey"
      action="Continue"
      isDisabled={name.trim() === ''}
      act={async (confirmation) => {
        const { recovery_codes: codes } = await add.mutateAsync({ name: name.trim(), confirmation })
        toast('Passkey added')
        if (codes.length > 0) showCodes(codes)
        else close()
      }}
      close={close}
    >
      <p>
        Then your browser asks for your fingerprint, face, PIN or security key. The passkey alone is enough to
        sign in. Your password alone no longer is.
      </p>
      <TextInput
        label="Name"
        description="To recognize the passkey in the list."
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        autoComplete="off"
        mt="md"
      />
    </PasswordPrompt>
  )
}
