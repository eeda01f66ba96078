/** Login and password, then, where there is one, the second factor, in the same place. */
import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { hasCode } from '../../api/api.ts'
import { useSignIn } from '../../api/sign-in.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import form from '../../parts/form.module.css'
import { TextLink } from '../../parts/links.tsx'
import { Notice } from '../../parts/notice.tsx'
import styles from './sign-in.module.css'

export function SignInForm({ whenDone }: { whenDone: () => void }) {
  const signIn = useSignIn()
  const [isCodeAsked, setCodeAsked] = useState(false)
  const fields = useForm({
    mode: 'uncontrolled',
    initialValues: { login: '', password: '', code: '' },
    validate: {
      login: (value) => (value.trim() === '' ? 'Enter your alias or e-mail address.' : null),
      password: (value) => (value === '' ? 'Enter your password.' : null),
      code: (value) => (isCodeAsked && value.trim() === '' ? 'Enter the code.' : null),
    },
  })

  const submit = fields.onSubmit(({ login, password, code }) =>
    signIn.mutate(
      { login: login.trim(), password, ...(isCodeAsked && { code: code.replaceAll(/\s/g, '') }) },
      {
        onSuccess: whenDone,
        onError(error) {
          if (hasCode(error, 'secondFactorNeeded')) setCodeAsked(true)
          if (hasCode(error, 'secondFactorWrong'))
            fields.setFieldError(
              'code',
              'This code is not valid. Codes change every 30 seconds and work once.',
            )
        },
      },
    ),
  )
  const back = () => {
    signIn.reset()
    fields.setFieldValue('code', '')
    setCodeAsked(false)
  }

  return (
    <form className={form.form} onSubmit={submit} noValidate>
      <div className={styles.step} hidden={isCodeAsked}>
        <TextInput
          label="Alias or e-mail address"
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
      {isCodeAsked && (
        <TextInput
          label="Code from your authenticator app"
          description="Or one of your recovery codes."
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          key={fields.key('code')}
          {...fields.getInputProps('code')}
        />
      )}
      <SignInFailure error={signIn.error} />
      <Button type="submit" loading={signIn.isPending} fullWidth>
        {isCodeAsked ? 'Confirm' : 'Sign in'}
      </Button>
      {isCodeAsked ? (
        <Anchor component="button" type="button" className={styles.link} onClick={back}>
          Back
        </Anchor>
      ) : (
        <TextLink to="/forgotten" className={styles.link}>
          Forgotten your password?
        </TextLink>
      )}
    </form>
  )
}

/** What is said beside the code itself is not said again. */
function SignInFailure({ error }: { error: Error | null }) {
  if (hasCode(error, 'secondFactorNeeded') || hasCode(error, 'secondFactorWrong')) return null
  if (hasCode(error, 'authenticationFailed'))
    return (
      <Notice tone="bad" role="alert" title="Login or password is wrong">
        Check both and try again. After several wrong tries you have to wait.
      </Notice>
    )
  return <FailureNote error={error} />
}
