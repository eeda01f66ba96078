import { Button, PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChangePassword } from '../../api/account.ts'
import { isErrorCode } from '../../api/client.ts'
import { supportsPasskeys } from '../../lib/passkey.ts'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import form from '../../ui/form/form.module.css'
import { validateNewPassword, NewPassword } from '../../ui/form/new-password.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { useSession } from '../auth/session-context.ts'

export function PasswordForm() {
  const { login } = useSession()
  const change = useChangePassword()
  const fields = useForm({
    mode: 'uncontrolled',
    initialValues: { current: '', next: '' },
    validate: {
      current: (value) => (value === '' ? 'Enter your current password.' : null),
      next: validateNewPassword,
    },
  })
  const isWrong = isErrorCode(change.error, 'wrongPassword')
  const callbacks = {
    onSuccess() {
      fields.reset()
      toast('Password changed, other sessions signed out')
    },
    onError: (error: Error) =>
      isErrorCode(error, 'wrongPassword') && fields.setFieldError('current', 'Incorrect password.'),
  }
  const submit = fields.onSubmit(({ current, next }) =>
    change.mutate({ newPassword: next, confirm: { current_password: current } }, callbacks),
  )
  const submitWithPasskey = () => {
    fields.clearFieldError('current')
    if (fields.validateField('next').hasError) return
    change.mutate({ newPassword: fields.getValues().next, confirm: 'passkey' }, callbacks)
  }
  return (
    <form className={form.form} onSubmit={submit} noValidate>
      <input type="text" name="username" autoComplete="username" value={login.alias} readOnly hidden />
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        key={fields.key('current')}
        {...fields.getInputProps('current')}
      />
      <NewPassword key={fields.key('next')} {...fields.getInputProps('next')} />
      {!isWrong && <ErrorNotice error={change.error} />}
      <div className={form.actions}>
        <Button type="submit" variant="default" loading={change.isPending}>
          Change password
        </Button>
        {login.passkeys > 0 && supportsPasskeys() && (
          <Button variant="default" disabled={change.isPending} onClick={submitWithPasskey}>
            Change with passkey
          </Button>
        )}
      </div>
    </form>
  )
}
