/**
 * The choice to keep API keys and OAuth apps when a password is reset. A native checkbox: Mantine's would move into the
 * script that every page loads.
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
