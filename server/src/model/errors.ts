/**
 * The error catalogue: every failure a caller can meet, with its stable code, its HTTP status and what it means.
 * A rule that says no throws a Refusal; `http/envelope.ts` is the one place that turns it into an answer.
 * Codes are never reused. 900, 902 and 903 are known to existing clients; 901 (request signature) stays free.
 */
interface CatalogueEntry {
  code: number
  status: number
  meaning: string
}

export const catalogue = {
  authenticationFailed: {
    code: 900,
    status: 401,
    meaning: 'No valid credential was sent. Send an API key as `X-Api-Key: <key>`.',
  },
  notAllowed: {
    code: 902,
    status: 403,
    meaning: 'The key or token is valid but lacks the scope this call needs.',
  },
  ipNotAllowed: {
    code: 903,
    status: 403,
    meaning: 'The key may only be used from other IP addresses than the one the call came from.',
  },
  accountSuspended: {
    code: 904,
    status: 403,
    meaning: 'The account is suspended. Its owner should contact the operator.',
  },
  severalCredentials: {
    code: 905,
    status: 400,
    meaning: 'Different credentials were sent in one call. Send exactly one.',
  },
  credentialSwitchedOff: {
    code: 906,
    status: 401,
    meaning: 'The operator has switched this kind of credential off. Send an API key as `X-Api-Key: <key>`.',
  },
  tooManyFailedLogins: {
    code: 907,
    status: 429,
    meaning:
      'Too many wrong passwords or codes, links asked for, names tried, or requests for access. Wait as long as `Retry-After` says, or use an API key.',
  },
  personRequired: {
    code: 908,
    status: 403,
    meaning: 'Only a person who is signed in can do this, in the developer area.',
  },
  crossSite: {
    code: 909,
    status: 403,
    meaning: 'A call made with the sign-in cookie did not prove that it comes from a page of this service.',
  },
  passwordWrong: { code: 910, status: 403, meaning: 'The password that was asked for again is wrong.' },
  secondFactorNeeded: {
    code: 911,
    status: 401,
    meaning: 'The password is right; the code of the second factor is needed too.',
  },
  secondFactorWrong: {
    code: 912,
    status: 401,
    meaning: 'The code of the second factor is wrong or was used.',
  },
  unreadableRequest: {
    code: 1000,
    status: 400,
    meaning: 'The request could not be read: malformed JSON, percent-encoding, UTF-8 or framing.',
  },
  bodyTooLarge: { code: 1001, status: 413, meaning: 'The body is larger than this call accepts.' },
  unsupportedMediaType: {
    code: 1002,
    status: 415,
    meaning: 'The body is neither `application/x-www-form-urlencoded` nor `application/json`, in UTF-8.',
  },
  requestTimeout: { code: 1003, status: 408, meaning: 'The request did not arrive completely in time.' },
  parameterMissing: { code: 1010, status: 400, meaning: 'A required parameter is missing or empty.' },
  parameterConflict: {
    code: 1011,
    status: 400,
    meaning: 'The same parameter was sent more than once with different values.',
  },
  parameterInvalid: {
    code: 1012,
    status: 400,
    meaning: 'A parameter has a value that is not one of those it can have.',
  },
  linkInvalid: {
    code: 1013,
    status: 400,
    meaning: 'The link from the mail is unknown, was used or is too old. Ask for another.',
  },
  invalidUrl: { code: 1020, status: 400, meaning: '`target_url` is not an address webhooks can be sent to.' },
  invalidHeaders: { code: 1021, status: 400, meaning: '`headers` cannot be sent with a webhook.' },
  invalidFilter: {
    code: 1022,
    status: 400,
    meaning:
      '`event_filter` is neither a list of values nor a valid `cel:` expression, or it is too expensive on any event.',
  },
  hookNotFound: {
    code: 1100,
    status: 404,
    meaning: 'The account has no such webhook.',
  },
  severalHooksMatch: {
    code: 1101,
    status: 409,
    meaning: 'The creation parameters fit several webhooks. Delete by one of the ids named in the message.',
  },
  notFound: { code: 1102, status: 404, meaning: 'The account has nothing with this id.' },
  hookExists: {
    code: 1103,
    status: 409,
    meaning: 'Another webhook of the account has the same address, type, method, filter and headers.',
  },
  hookDisabled: {
    code: 1104,
    status: 409,
    meaning: 'The webhook is disabled, so nothing is sent to it. Enable it first.',
  },
  replayOver: {
    code: 1105,
    status: 409,
    meaning: 'The replay is done or was cancelled and cannot be changed any more.',
  },
  unknownPath: { code: 1110, status: 404, meaning: 'There is nothing at this path.' },
  methodNotAllowed: {
    code: 1111,
    status: 405,
    meaning: 'The path exists but not with this method; `Allow` lists those it has.',
  },
  unknownAccount: { code: 1120, status: 404, meaning: 'An event names an account that does not exist.' },
  keyConflict: {
    code: 1121,
    status: 409,
    meaning: "An event's idempotency key was used before with another body.",
  },
  noMail: {
    code: 1130,
    status: 409,
    meaning: 'This installation sends no mail. Ask its operator for a new password.',
  },
  secondFactorOn: {
    code: 1131,
    status: 409,
    meaning: 'The login has a second factor already. Switch it off before setting up another.',
  },
  rateLimited: {
    code: 1200,
    status: 429,
    meaning: 'The account made too many calls in this minute. Wait as long as `Retry-After` says.',
  },
  tooManyHooks: {
    code: 1201,
    status: 409,
    meaning: 'The account has as many webhooks as it may have. Delete one first.',
  },
  backlogFull: {
    code: 1202,
    status: 429,
    meaning: 'The account has more events waiting than it may have. Hand them in later.',
  },
  tooManyKeys: {
    code: 1203,
    status: 409,
    meaning: 'The account has as many API keys as it may have. Revoke one first.',
  },
  tooManyApps: {
    code: 1204,
    status: 409,
    meaning: 'The account publishes as many apps as it may. Delete one first.',
  },
  tooManyStreams: {
    code: 1205,
    status: 429,
    meaning: 'The account has as many live tails open as it may have. Close one first.',
  },
  tooManyReplays: {
    code: 1206,
    status: 409,
    meaning: 'The account has as many replays under way as it may have. Wait for one or cancel it.',
  },
  tooManyAtOnce: {
    code: 1207,
    status: 429,
    meaning:
      'The account has too many searches or other calls in progress at once. Retry after `Retry-After`.',
  },
  tooManyChanges: {
    code: 1208,
    status: 429,
    meaning:
      'The account made too many changes of webhooks, or too many actions that the audit log records, in this minute or day. Retry after `Retry-After`.',
  },
  internal: {
    code: 1300,
    status: 500,
    meaning: 'Something broke on our side. The call may be repeated; report the `X-Request-Id` if it stays.',
  },
  unavailable: {
    code: 1301,
    status: 503,
    meaning: 'The service cannot work right now. Repeat the call after `Retry-After` seconds.',
  },
} as const satisfies Record<string, CatalogueEntry>

export type ErrorName = keyof typeof catalogue

interface RefusalOptions {
  /** When the caller may try again. */
  retryAfterSeconds?: number
  /** Further answer headers, such as `Allow`. */
  headers?: Record<string, string>
}

/** A "no" with its public sentence. The message is shown to the caller, so it never holds a secret. */
export class Refusal extends Error {
  readonly reason: ErrorName
  readonly options: RefusalOptions

  constructor(reason: ErrorName, message: string, options: RefusalOptions = {}) {
    super(message)
    this.name = 'Refusal'
    this.reason = reason
    this.options = options
  }

  get code(): number {
    return catalogue[this.reason].code
  }

  get status(): number {
    return catalogue[this.reason].status
  }
}

/** A fault the operator can mend: the message says what is wrong and what to do, so no stack trace is shown. */
export class Advice extends Error {}
