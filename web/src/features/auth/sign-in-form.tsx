/** Sign-in form: login and password, or a passkey. Then the second factor if the login has one. */
import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { isErrorCode, requiredConnection, secondFactors, type SecondFactors } from '../../api/client.ts'
import { type SignInPurpose, useSignIn } from '../../api/auth.ts'
import { usePasskeySignIn } from '../../api/passkeys.ts'
import { supportsPasskeys } from '../../lib/passkey.ts'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import form from '../../ui/form/form.module.css'
import { ButtonLink, TextLink } from '../../ui/layout/links.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import styles from './sign-in.module.css'

interface SignInFormProps {
  onSuccess?: () => void
  /** Prefills the login. */
  login?: string
  /** The token of an invitation, which the sign-in accepts, or whether it links the user of an identity provider. */
  purpose?: SignInPurpose
  /** Offers single sign-on, which returns to this path. */
  returnTo?: string
}

export function SignInForm({ onSuccess, login: knownLogin = '', purpose, returnTo }: SignInFormProps) {
  const done = onSuccess && { onSuccess }
  const signIn = useSignIn(purpose)
  const passkeySignIn = usePasskeySignIn(purpose)
  const [factors, setFactors] = useState<SecondFactors | null>(null)
  const fields = useForm({
    mode: 'uncontrolled',
    initialValues: { login: knownLogin, password: '', code: '' },
    validate: {
      login: (value) => (value.trim() === '' ? 'Enter your alias or email.' : null),
      password: (value) => (value === '' ? 'Enter your password.' : null),
      code: (value) => (factors !== null && value.trim() === '' ? 'Enter the code.' : null),
    },
  })

  const submit = fields.onSubmit(({ login, password, code }) =>
    signIn.mutate(
      { login: login.trim(), password, ...(factors !== null && { code: code.replaceAll(/\s/g, '') }) },
      {
        ...done,
        onError(error) {
          if (isErrorCode(error, 'secondFactorRequired')) setFactors(secondFactors(error))
          if (isErrorCode(error, 'invalidSecondFactor'))
            fields.setFieldError('code', 'Invalid code. Codes change every 30 seconds and work once.')
        },
      },
    ),
  )
  const submitPasskey = () => {
    const { login, password } = fields.getValues()
    signIn.reset()
    passkeySignIn.mutate(factors === null ? undefined : { login: login.trim(), password }, { ...done })
  }
  const back = () => {
    signIn.reset()
    passkeySignIn.reset()
    fields.setFieldValue('code', '')
    setFactors(null)
  }
  const isPending = signIn.isPending || passkeySignIn.isPending
  /** Only the password links the user of an identity provider. */
  const isPasskeyEnough = purpose?.link_sso !== true
  const isPasskeyOffered = supportsPasskeys() && (factors === null ? isPasskeyEnough : factors.hasPasskey)
  /** Without an app, only a recovery code could replace the passkey. */
  const isPasskeyFirst = isPasskeyOffered && factors !== null && !factors.hasApp
  const passkeyButton = (
    <Button
      variant={isPasskeyFirst ? 'filled' : 'default'}
      autoFocus={isPasskeyFirst}
      onClick={submitPasskey}
      loading={passkeySignIn.isPending}
      disabled={signIn.isPending}
      fullWidth
    >
      {factors === null ? 'Sign in with passkey' : 'Use passkey'}
    </Button>
  )

  return (
    <form className={form.form} onSubmit={submit} noValidate>
      <div className={styles.step} hidden={factors !== null}>
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
      {isPasskeyFirst && passkeyButton}
      {factors !== null && (
        <TextInput
          label={factors.hasApp ? 'Authenticator code' : 'Recovery code'}
          description={factors.hasApp ? 'Or a recovery code.' : 'If you do not have your passkey.'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={!isPasskeyFirst}
          key={fields.key('code')}
          {...fields.getInputProps('code')}
        />
      )}
      <SignInError error={passkeySignIn.error ?? signIn.error} returnTo={returnTo} />
      <Button
        type="submit"
        variant={isPasskeyFirst ? 'default' : 'filled'}
        loading={signIn.isPending}
        disabled={passkeySignIn.isPending}
        fullWidth
      >
        {factors === null ? 'Sign in' : 'Verify code'}
      </Button>
      {isPasskeyOffered && !isPasskeyFirst && passkeyButton}
      {factors === null ? (
        <div className={styles.links}>
          <TextLink to="/forgot-password" inherit>
            Forgot password?
          </TextLink>
          {returnTo !== undefined && (
            <TextLink to="/sign-in/sso" search={{ return_to: returnTo }} inherit>
              Sign in with SSO
            </TextLink>
          )}
        </div>
      ) : (
        <Anchor component="button" type="button" className={styles.link} onClick={back} disabled={isPending}>
          Back
        </Anchor>
      )}
    </form>
  )
}

/** Errors of the code appear at its field, not here. */
function SignInError({ error, returnTo }: { error: Error | null; returnTo: string | undefined }) {
  if (isErrorCode(error, 'secondFactorRequired') || isErrorCode(error, 'invalidSecondFactor')) return null
  if (isErrorCode(error, 'authenticationFailed'))
    return (
      <Notice tone="danger" role="alert" title="Incorrect login or password">
        Check both and retry. Several failed attempts cause a delay.
      </Notice>
    )
  if (isErrorCode(error, 'ssoRequired'))
    return (
      <Notice
        tone="info"
        role="alert"
        title="This account requires single sign-on"
        actions={
          <ButtonLink
            to="/sign-in/sso"
            search={{ connection: requiredConnection(error), return_to: returnTo }}
            size="xs"
          >
            Continue with SSO
          </ButtonLink>
        }
      >
        Sign in with the identity provider of your organization.
      </Notice>
    )
  return <ErrorNotice error={error} />
}
