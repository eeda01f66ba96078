/** A field for a new password, with its one rule said beforehand. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core'

const shortestPassword = 10

export function NewPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="New password"
      description={`At least ${shortestPassword} characters. A few words are better than one odd one.`}
      autoComplete="new-password"
      {...props}
    />
  )
}

export function judgeNewPassword(password: string): string | null {
  return password.length < shortestPassword ? `Use at least ${shortestPassword} characters.` : null
}
