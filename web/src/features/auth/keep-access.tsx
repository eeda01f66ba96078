/**
 * Checkbox to keep API keys and OAuth apps when the password is reset. Native, because Mantine's checkbox would be added to
 * the main bundle of every page.
 */
import type { ComponentProps } from 'react'
import classes from './keep-access.module.css'

export function KeepAccess(input: ComponentProps<'input'>) {
  return (
    <div className={classes.field}>
      <input {...input} type="checkbox" id="keep-access" aria-describedby="keep-access-description" />
      <label htmlFor="keep-access">Keep API keys and OAuth apps</label>
      <p className={classes.description} id="keep-access-description">
        Otherwise they are revoked. Keep them only if nobody else had access to your account.
      </p>
    </div>
  )
}
