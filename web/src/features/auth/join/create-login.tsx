/** Creates a login with the email of an invitation, and joins its account. */
import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRegisterInvited } from '../../../api/members.ts'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { validateAlias } from '../../../ui/form/alias.ts'
import form from '../../../ui/form/form.module.css'
import { NewPassword, validateNewPassword } from '../../../ui/form/new-password.tsx'
import { useFieldError } from '../../../ui/form/use-field-error.ts'

export function CreateLogin({ token, email }: { token: string; email: string }) {
  const register = useRegisterInvited()
  const fields = useForm({
    mode: 'uncontrolled',
    initialValues: { alias: '', password: '' },
    validate: { alias: validateAlias, password: validateNewPassword },
  })
  const rest = useFieldError(register.error, { alias: 'alias', password: 'password' }, fields.setFieldError)
  const submit = fields.onSubmit(({ alias, password }) =>
    register.mutate({ token, alias: alias.trim(), password }),
  )
  return (
    <form className={form.form} onSubmit={submit} noValidate>
      <TextInput label="Email" value={email} readOnly />
      <TextInput
        label="Alias"
        description="Used to sign in, and shown to other members."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        key={fields.key('alias')}
        {...fields.getInputProps('alias')}
      />
      <NewPassword label="Password" key={fields.key('password')} {...fields.getInputProps('password')} />
      <ErrorNotice error={rest} />
      <Button type="submit" loading={register.isPending || register.isSuccess} fullWidth>
        Create login
      </Button>
    </form>
  )
}
