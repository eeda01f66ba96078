/** Sign-in form: login and password, then the two-factor code if required. */
import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { isErrorCode } from '../../api/client.ts'
import { useSignIn } from '../../api/auth.ts'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import form from '../../ui/form/form.module.css'
import { TextLink } from '../../ui/layout/links.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import styles from './sign-in.module.css'

interface SignInFormProps {
  onSuccess?: () => void
  /** Prefills the login. */
  login?: string
  /** Token of an invitation, which the sign-in accepts. */
  invitation?: string
}

export function SignInForm({ onSuccess, login: knownLogin = '', invitation }: SignInFormProps) {
  const signIn = useSignIn(invitation)
  const [isCodeRequired, setCodeRequired] = useState(false)
  const fields = useForm({
    mode: 'uncontrolled',
    initialValues: { login: knownLogin, password: '', code: '' },
    validate: {
      login: (value) => (value.trim() === '' ? 'Enter your alias or email.' : null),
      password: (value) => (value === '' ? 'Enter your password.' : null),
      code: (value) => (isCodeRequired && value.trim() === '' ? 'Enter the code.' : null),
    },
  })

  const submit = fields.onSubmit(({ login, password, code }) =>
    signIn.mutate(
      { login: login.trim(), password, ...(isCodeRequired && { code: code.replaceAll(/\s/g, '') }) },
      {
        ...(onSuccess && { onSuccess }),
        onError(error) {
          if (isErrorCode(error, 'secondFactorRequired')) setCodeRequired(true)
          if (isErrorCode(error, 'invalidSecondFactor'))
            fields.setFieldError('code', 'Invalid code. Codes change every 30 seconds and work once.')
        },
      },
    ),
  )
  const back = () => {
    signIn.reset()
    fields.setFieldValue('code', '')
    setCodeRequired(false)
  }

  return (
    <form className={form.form} onSubmit={submit} noValidate>
      <div className={styles.step} hidden={isCodeRequired}>
        <TextInput
          label="Alias or email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          key={fields.key('login')}
          {...fields.getInputProps('login')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          key={fields.key('password')}
          {...fields.getInputProps('password')}
        />
      </div>
      {isCodeRequired && (
        <TextInput
          label="Authenticator code"
          description="Or a recovery code."
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          key={fields.key('code')}
          {...fields.getInputProps('code')}
        />
      )}
      <SignInError error={signIn.error} />
      <Button type="submit" loading={signIn.isPending} fullWidth>
        {isCodeRequired ? 'Verify code' : 'Sign in'}
      </Button>
      {isCodeRequired ? (
        <Anchor component="button" type="button" className={styles.link} onClick={back}>
          Back
        </Anchor>
      ) : (
        <TextLink to="/forgot-password" className={styles.link}>
          Forgot password?
        </TextLink>
      )}
    </form>
  )
}

/** Errors of the code appear at its field, not here. */
function SignInError({ error }: { error: Error | null }) {
  if (isErrorCode(error, 'secondFactorRequired') || isErrorCode(error, 'invalidSecondFactor')) return null
  if (isErrorCode(error, 'authenticationFailed'))
    return (
      <Notice tone="danger" role="alert" title="Incorrect login or password">
        Check both and retry. Several failed attempts cause a delay.
      </Notice>
    )
  return <ErrorNotice error={error} />
}
