import { ApiError } from '../../model/errors.ts'
import type { Mailer } from '../../runtime/mail.ts'
import type { ApiDeps } from '../operation/operation.ts'

/** Returns the mailer. Without one, the call is rejected with the sentence. */
export function requireMail({ mail }: Pick<ApiDeps, 'mail'>, sentence: string): Mailer {
  if (mail === undefined) throw new ApiError('noMail', sentence)
  return mail
}
