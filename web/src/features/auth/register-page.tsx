import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { configQuery } from '../../api/client.ts'
import { useRegister } from '../../api/auth.ts'
import { CardPage } from '../../ui/layout/card-page.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import { validateAlias } from '../../ui/form/alias.ts'
import form from '../../ui/form/form.module.css'
import { TextLink } from '../../ui/layout/links.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useFieldError } from '../../ui/form/use-field-error.ts'
import { validateNewPassword, NewPassword } from '../../ui/form/new-password.tsx'

export function RegisterPage() {
  const config = useQuery(configQuery)
  return (
    <CardPage
      title="Create account"
      foot={
        <>
          Already registered? <TextLink to="/sign-in">Sign in</TextLink>
        </>
      }
    >
      {config.isError && <ErrorState error={config.error} retry={() => void config.refetch()} />}
      {config.data?.registration === true && <RegisterForm />}
      {config.data?.registration === false && (
        <Notice tone="info" title="Registration is disabled">
          {config.data.operator_contact !== null && `Contact ${config.data.operator_contact} for an account.`}
        </Notice>
      )}
    </CardPage>
  )
}

function RegisterForm() {
  const router = useRouter()
  const register = useRegister()
  const fields = useForm({
    mode: 'uncontrolled',
    initialValues: { account_name: '', alias: '', email: '', password: '' },
    validate: {
      account_name: (value) => (value.trim() === '' ? 'Enter an account name, such as your company.' : null),
      alias: validateAlias,
      email: (value) => (/^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : 'Enter your email.'),
      password: validateNewPassword,
    },
  })
  const rest = useFieldError(
    register.error,
    { account_name: 'account_name', alias: 'alias', email: 'email', password: 'password' },
    fields.setFieldError,
  )
  const submit = fields.onSubmit((values) =>
    register.mutate(
      {
        ...values,
        account_name: values.account_name.trim(),
        alias: values.alias.trim(),
        email: values.email.trim(),
      },
      { onSuccess: () => router.history.push('/') },
    ),
  )
  return (
    <form className={form.form} onSubmit={submit} noValidate>
      <TextInput
        label="Account name"
        description="Your company or project."
        autoComplete="organization"
        key={fields.key('account_name')}
        {...fields.getInputProps('account_name')}
      />
      <TextInput
        label="Alias"
        description="Used to sign in."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        key={fields.key('alias')}
        {...fields.getInputProps('alias')}
      />
      <TextInput
        label="Email"
        description="Hookline sends a confirmation link. You can sign in with a confirmed email."
        type="email"
        autoComplete="email"
        key={fields.key('email')}
        {...fields.getInputProps('email')}
      />
      <NewPassword label="Password" key={fields.key('password')} {...fields.getInputProps('password')} />
      <ErrorNotice error={rest} />
      <Button type="submit" loading={register.isPending} fullWidth>
        Create account
      </Button>
    </form>
  )
}
