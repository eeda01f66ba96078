import { Button, PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChangePassword } from '../../api/account.ts'
import { hasCode } from '../../api/api.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import form from '../../parts/form.module.css'
import { judgeNewPassword, NewPassword } from '../../parts/new-password.tsx'
import { say } from '../../parts/say.ts'
import { useSession } from '../../frame/session-context.ts'

export function PasswordForm() {
  const { login } = useSession()
  const change = useChangePassword()
  const fields = useForm({
    mode: 'uncontrolled',
    initialValues: { current: '', wanted: '' },
    validate: {
      current: (value) => (value === '' ? 'Enter your present password.' : null),
      wanted: judgeNewPassword,
    },
  })
  const isWrong = hasCode(change.error, 'passwordWrong')
  const submit = fields.onSubmit(({ current, wanted }) =>
    change.mutate(
      { current_password: current, new_password: wanted },
      {
        onSuccess() {
          fields.reset()
          say('Your password is changed. All your other sessions were ended.')
        },
        onError: (error) =>
          hasCode(error, 'passwordWrong') &&
          fields.setFieldError('current', 'This is not your present password.'),
      },
    ),
  )
  return (
    <form className={form.form} onSubmit={submit} noValidate>
      <input type="text" name="username" autoComplete="username" value={login.alias} readOnly hidden />
      <PasswordInput
        label="Present password"
        autoComplete="current-password"
        key={fields.key('current')}
        {...fields.getInputProps('current')}
      />
      <NewPassword key={fields.key('wanted')} {...fields.getInputProps('wanted')} />
      {!isWrong && <FailureNote error={change.error} />}
      <div className={form.actions}>
        <Button type="submit" variant="default" loading={change.isPending}>
          Change the password
        </Button>
      </div>
    </form>
  )
}
