/** Shows an API error at its form field. Returns the error if no field matches. */
import { useEffect } from 'react'
import { findErrorField } from '../../messages/errors.ts'

export function useFieldError<Field extends string>(
  error: Error | null,
  fields: Readonly<Record<string, Field>>,
  setFieldError: (field: Field, message: string) => void,
): Error | null {
  const field = findErrorField(error, fields)
  useEffect(() => {
    if (error !== null && field !== undefined) setFieldError(field, error.message)
    // Runs for new errors only, because typing clears the field error.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [error])
  return field === undefined ? error : null
}
