/** Input for a new password that states the length rule. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core'

const minLength = 10

export function NewPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="New password"
      description={`At least ${minLength} characters. Use a passphrase.`}
      autoComplete="new-password"
      {...props}
    />
  )
}

export function validateNewPassword(password: string): string | null {
  return password.length < minLength ? `Use at least ${minLength} characters.` : null
}
