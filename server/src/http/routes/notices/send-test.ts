import { z } from 'zod'
import { readRecipients } from '../../../identity/members/recipients.ts'
import { ApiError } from '../../../model/errors.ts'
import { queueTestEmail } from '../../../notices/message-queue.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { requireMail } from '../require-mail.ts'

export const sendTestNoticeOperation = sessionOperation({
  id: 'sendTestNotice',
  group: 'Notices',
  role: 'viewer',
  summary: 'Send a test email',
  description:
    'Queues a test email to your verified email. Its result is the field `last_test` of your preferences.',
  params: z.object({}),
  response: z.object({}),
  errors: ['csrfFailed', 'notFound', 'noMail', 'tooManyAuthAttempts'],
  async handle(deps, { user, origin }) {
    const { db, throttle } = deps
    const { accountId, loginId } = user
    requireMail(deps, 'Email is not configured, so no notices are sent. Contact the operator.')
    const recipients = await readRecipients(db, accountId)
    const recipient = recipients.find((candidate) => candidate.loginId === loginId)
    if (recipient === undefined)
      throw new ApiError('notFound', 'Your login has no verified email. Enter one on the account page.')
    await throttle.mailTo(recipient.email, origin.ip)
    await queueTestEmail(db, accountId, loginId)
    return {}
  },
})
