/** Puts a refusal beside the field that it names; what remains is to be shown under the form. */
import { useEffect } from 'react'
import { fieldNamedBy } from '../words/failure.ts'

export function useFieldFailure<Field extends string>(
  error: Error | null,
  words: Record<string, Field>,
  setFieldError: (field: Field, message: string) => void,
): Error | null {
  const field = fieldNamedBy(error, words)
  useEffect(() => {
    if (error !== null && field !== undefined) setFieldError(field, error.message)
    // Only a new failure is put there: what the person types afterwards takes it away again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [error])
  return field === undefined ? error : null
}
