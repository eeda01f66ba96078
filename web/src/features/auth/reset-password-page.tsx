/** Sets a new password with the token of an email link. */
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { isErrorCode } from '../../api/client.ts'
import { useResetPassword } from '../../api/auth.ts'
import { CardPage } from '../../ui/layout/card-page.tsx'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import form from '../../ui/form/form.module.css'
import { ButtonLink, TextLink } from '../../ui/layout/links.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useFieldError } from '../../ui/form/use-field-error.ts'
import { validateNewPassword, NewPassword } from '../../ui/form/new-password.tsx'
import { KeepAccess } from './keep-access.tsx'
import { useLinkToken } from './link-token.ts'

export function ResetPasswordPage() {
  const token = useLinkToken()
  const reset = useResetPassword()
  const fields = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', keepAccess: false },
    validate: { password: validateNewPassword },
  })
  const rest = useFieldError(reset.error, { password: 'password' }, fields.setFieldError)

  if (reset.isSuccess)
    return (
      <CardPage
        title="Password reset"
        description="All sessions are signed out. Sign in with the new password."
      >
        <ButtonLink to="/sign-in" fullWidth>
          Sign in
        </ButtonLink>
      </CardPage>
    )
  if (token === '' || isErrorCode(reset.error, 'invalidResetLink'))
    return (
      <CardPage title="Invalid or expired link">
        <Notice
          tone="warning"
          role="alert"
          title="Reset links work once, for 30 minutes, until a password is set"
        >
          <TextLink to="/forgot-password">Request new link</TextLink>
        </Notice>
      </CardPage>
    )
  return (
    <CardPage title="Set new password" description="All your sessions are signed out.">
      <form
        className={form.form}
        onSubmit={fields.onSubmit(({ password, keepAccess }) =>
          reset.mutate({ token, new_password: password, keep_access: keepAccess }),
        )}
      >
        <NewPassword key={fields.key('password')} {...fields.getInputProps('password')} />
        <KeepAccess
          key={fields.key('keepAccess')}
          {...fields.getInputProps('keepAccess', { type: 'checkbox' })}
        />
        <ErrorNotice error={rest} />
        <Button type="submit" loading={reset.isPending} fullWidth>
          Set password
        </Button>
      </form>
    </CardPage>
  )
}
