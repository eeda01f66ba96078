/** Attempts pending deliveries of a webhook now. If its circuit breaker is open, one delivery is sent as a probe. */
import type { Hook } from '../../api/types.ts'
import { useRetryWebhook } from '../../api/webhooks.ts'
import { describeError } from '../../messages/errors.ts'
import { retryResultText } from '../../messages/retry-now.ts'
import { toast } from '../../ui/feedback/toast.ts'

interface RetryNow {
  retry: (hook: Pick<Hook, 'id'>) => void
  isPending: boolean
}

/** In a list of webhooks, `name` tells which one failed. */
export function useRetryNow(name?: string): RetryNow {
  const { mutate, isPending } = useRetryWebhook({
    done: (_hook, { started }) => toast(retryResultText[started]),
    failed: (_hook, error) =>
      toast(
        `Failed to retry${name === undefined ? '' : ` ${name}`}: ${describeError(error, true).title}`,
        'danger',
      ),
  })
  return { retry: (hook) => mutate(hook), isPending }
}
