import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { areaQuery } from '../../api/api.ts'
import { useRegister } from '../../api/sign-in.ts'
import { CardPage } from '../../parts/card-page.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import form from '../../parts/form.module.css'
import { TextLink } from '../../parts/links.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useFieldFailure } from '../../parts/use-field-failure.ts'
import { judgeNewPassword, NewPassword } from '../../parts/new-password.tsx'

export function RegisterPage() {
  const area = useQuery(areaQuery)
  return (
    <CardPage
      title="Create an account"
      foot={
        <>
          Already have one? <TextLink to="/sign-in">Sign in</TextLink>
        </>
      }
    >
      {area.isError && <ErrorState error={area.error} retry={() => void area.refetch()} />}
      {area.data?.registration === true && <RegisterForm />}
      {area.data?.registration === false && (
        <Notice tone="accent" title="Accounts are made by the operator here.">
          {area.data.operator_contact !== null && `Ask ${area.data.operator_contact}.`}
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
      account_name: (value) =>
        value.trim() === '' ? 'Name the account, for example after your company.' : null,
      alias: (value) =>
        /^[A-Za-z0-9._-]{2,64}$/.test(value.trim()) ? null : 'Use 2 to 64 letters, digits, dots, “-” or “_”.',
      email: (value) => (/^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : 'Enter your e-mail address.'),
      password: judgeNewPassword,
    },
  })
  const rest = useFieldFailure(
    register.error,
    { account_name: 'account_name', alias: 'alias', 'e-mail': 'email', email: 'email', password: 'password' },
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
        description="You sign in with it."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        key={fields.key('alias')}
        {...fields.getInputProps('alias')}
      />
      <TextInput
        label="E-mail address"
        description="A link is sent to it. Once confirmed, you can sign in with it too."
        type="email"
        autoComplete="email"
        key={fields.key('email')}
        {...fields.getInputProps('email')}
      />
      <NewPassword label="Password" key={fields.key('password')} {...fields.getInputProps('password')} />
      <FailureNote error={rest} />
      <Button type="submit" loading={register.isPending} fullWidth>
        Create the account
      </Button>
    </form>
  )
}
