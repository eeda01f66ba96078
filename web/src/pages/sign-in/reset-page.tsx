/** A new password by the link from a mail. The token stands behind the `#`, which browsers never send to a server. */
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useState } from 'react'
import { hasCode } from '../../api/api.ts'
import { useResetPassword } from '../../api/sign-in.ts'
import { CardPage } from '../../parts/card-page.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import form from '../../parts/form.module.css'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useFieldFailure } from '../../parts/use-field-failure.ts'
import { judgeNewPassword, NewPassword } from '../../parts/new-password.tsx'
import { KeepAccess } from './keep-access.tsx'
import { tokenInAddress } from './link-token.ts'

export function ResetPage() {
  const [token] = useState(tokenInAddress)
  const reset = useResetPassword()
  // Once read, it need not stay in the address bar or the history.
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  const fields = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', keepAccess: false },
    validate: { password: judgeNewPassword },
  })
  const rest = useFieldFailure(reset.error, { password: 'password' }, fields.setFieldError)

  if (reset.isSuccess)
    return (
      <CardPage title="Your password is set" about="All sessions were ended. Sign in with the new password.">
        <ButtonLink to="/sign-in" fullWidth>
          Sign in
        </ButtonLink>
      </CardPage>
    )
  if (token === '' || hasCode(reset.error, 'linkInvalid'))
    return (
      <CardPage title="This link does not work any more">
        <Notice
          tone="attention"
          role="alert"
          title="Links work once, for 30 minutes, and until a password is set."
        >
          <TextLink to="/forgotten">Ask for a new one</TextLink>
        </Notice>
      </CardPage>
    )
  return (
    <CardPage title="Set a new password" about="Every session of yours ends, here and elsewhere.">
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
        <FailureNote error={rest} />
        <Button type="submit" loading={reset.isPending} fullWidth>
          Set the password
        </Button>
      </form>
    </CardPage>
  )
}
