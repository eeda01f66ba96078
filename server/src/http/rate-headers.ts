import type { CallRate } from '../identity/accounts/call-rate.ts'

/** The IETF's fields (draft-ietf-httpapi-ratelimit-headers) and, beside them, the older ones most clients read. */
export function rateHeaders(rate: CallRate): Record<string, string> {
  return {
    'ratelimit-policy': `"account";q=${rate.limit};w=60`,
    ratelimit: `"account";r=${rate.remaining};t=${rate.secondsLeft}`,
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-reset': String(rate.secondsLeft),
  }
}
