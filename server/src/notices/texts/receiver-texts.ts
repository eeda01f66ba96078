/** Texts about receivers that are slow, or whose certificates expire. Pure. */
import { instant } from '../../model/clock-time.ts'
import type { NoticeKind } from '../../model/notice.ts'
import { count, type NoticeTexts, plural } from './notice-texts.ts'

type ReceiverKind = Extract<NoticeKind, 'slow' | `certificate_${string}`>

export const receiverTexts: Record<ReceiverKind, NoticeTexts> = {
  slow: {
    headline: (subject, hooks) => `${subject} ${hooks === 1 ? 'responds' : 'respond'} close to the timeout`,
    fact: ({ detail: { slow, attempts = 0 } }) =>
      `${count(slow)} of ${plural(attempts, 'attempt', 'attempts')} in the last 24 hours took more than 80% of the timeout, or timed out.`,
    next: () => 'Return 2xx immediately, then process the event. An attempt that times out is retried.',
    page: 'webhook',
  },
  certificate_21d: certificateExpiresIn('21 days'),
  certificate_7d: certificateExpiresIn('7 days'),
  certificate_1d: certificateExpiresIn('24 hours'),
}

function certificateExpiresIn(time: string): NoticeTexts {
  return {
    headline: (subject) => `${subject}: the certificate expires within ${time}`,
    fact: ({ streak }) => `The TLS certificate of your server is valid until ${instant(streak)}.`,
    next: () =>
      'After that, all attempts fail. Renew it, and check that your server sends the new one with its full chain.',
    page: 'webhook',
  }
}
