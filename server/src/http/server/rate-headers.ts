import type { RateLimitState } from '../../identity/accounts/api-rate-limit.ts'

/** Returns the IETF rate limit fields (draft-ietf-httpapi-ratelimit-headers) and the older `X-RateLimit` headers. */
export function rateHeaders(rate: RateLimitState): Record<string, string> {
  return {
    'ratelimit-policy': `"account";q=${rate.limit};w=60`,
    ratelimit: `"account";r=${rate.remaining};t=${rate.secondsLeft}`,
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-reset': String(rate.secondsLeft),
  }
}
