/**
 * The error catalog: every error of the API, with its stable code, HTTP status and description.
 * Code that rejects a call throws an ApiError; `http/server/envelope.ts` alone turns it into a response.
 * Codes are never reused. Existing clients know 900 to 903.
 */
import type { PasskeyRequestOptions } from './passkey.ts'

interface CatalogEntry {
  code: number
  status: number
  description: string
}

export const errorCatalog = {
  authenticationFailed: {
    code: 900,
    status: 401,
    description: 'No valid credential. Send an API key as `X-Api-Key: <key>`.',
  },
  invalidSignature: {
    code: 901,
    status: 401,
    description:
      'The signature of the call is not valid, or it is missing and the API key or the account requires one.',
  },
  insufficientScope: {
    code: 902,
    status: 403,
    description: 'Missing scope. The API key or token is valid but lacks the scope that this call needs.',
  },
  ipNotAllowed: {
    code: 903,
    status: 403,
    description: 'Key not allowed from this IP address.',
  },
  accountSuspended: {
    code: 904,
    status: 403,
    description: 'The account is suspended. Contact the operator.',
  },
  multipleCredentials: {
    code: 905,
    status: 400,
    description: 'Several different credentials in one call. Send exactly one.',
  },
  credentialDisabled: {
    code: 906,
    status: 401,
    description: 'Authentication method disabled by the operator. Send an API key as `X-Api-Key: <key>`.',
  },
  tooManyAuthAttempts: {
    code: 907,
    status: 429,
    description:
      'Too many failed attempts: passwords, codes, reset links, login names or authorization requests. Retry after `Retry-After`, or use an API key.',
  },
  sessionRequired: {
    code: 908,
    status: 403,
    description: 'Requires a signed-in user. Use the dashboard.',
  },
  csrfFailed: {
    code: 909,
    status: 403,
    description: 'CSRF check failed. Reload the page.',
  },
  wrongPassword: { code: 910, status: 403, description: 'Wrong password in a confirmation.' },
  secondFactorRequired: {
    code: 911,
    status: 401,
    description:
      'Second factor required: a code or a passkey. The password is correct. `details.allowed` of a sign-in lists the methods.',
  },
  invalidSecondFactor: {
    code: 912,
    status: 401,
    description: 'Two-factor code wrong or already used.',
  },
  insufficientRole: {
    code: 913,
    status: 403,
    description: 'The role or the rights of the member do not allow this. Ask an admin of the account.',
  },
  noMembership: {
    code: 914,
    status: 403,
    description: 'The login is a member of no account, or not of this one. Ask an admin for an invitation.',
  },
  invalidPasskey: {
    code: 915,
    status: 401,
    description: 'Passkey not accepted: unknown, removed, or its challenge expired or was used.',
  },
  ssoRequired: {
    code: 920,
    status: 403,
    description: 'The account requires single sign-on. Sign in with the identity provider of the account.',
  },
  ssoSession: {
    code: 921,
    status: 403,
    description:
      'A session of single sign-on is in one account and cannot change the login itself. Sign in with your password.',
  },
  ssoConfirmationRequired: {
    code: 922,
    status: 403,
    description: 'Sign in with the identity provider again to confirm the operation.',
  },
  malformedRequest: {
    code: 1000,
    status: 400,
    description: 'Malformed request: invalid JSON, percent-encoding, UTF-8 or framing.',
  },
  bodyTooLarge: { code: 1001, status: 413, description: 'The body is larger than this call accepts.' },
  unsupportedMediaType: {
    code: 1002,
    status: 415,
    description:
      'Unsupported media type. Send `application/x-www-form-urlencoded`, `multipart/form-data` or `application/json`, in UTF-8.',
  },
  requestTimeout: { code: 1003, status: 408, description: 'The request did not arrive completely in time.' },
  parameterMissing: { code: 1010, status: 400, description: 'A required parameter is missing or empty.' },
  parameterConflict: {
    code: 1011,
    status: 400,
    description: 'The same parameter was sent more than once with different values.',
  },
  parameterInvalid: {
    code: 1012,
    status: 400,
    description: 'A parameter has an invalid value.',
  },
  invalidResetLink: {
    code: 1013,
    status: 400,
    description: 'Reset link invalid or expired. Request another.',
  },
  invalidInvitation: {
    code: 1014,
    status: 400,
    description: 'Invitation revoked, expired or already used. Ask for another.',
  },
  ssoFailed: {
    code: 1015,
    status: 400,
    description:
      'The identity provider cannot be used, or its response was rejected. The message has the reason.',
  },
  invalidUrl: {
    code: 1020,
    status: 400,
    description: 'Webhooks cannot be sent to this `target_url`.',
  },
  invalidHeaders: { code: 1021, status: 400, description: '`headers` cannot be sent with a webhook.' },
  invalidFilter: {
    code: 1022,
    status: 400,
    description:
      '`event_filter` is neither a list of values nor a valid `cel:` expression, or it exceeds its budget on every event.',
  },
  hookNotFound: {
    code: 1100,
    status: 404,
    description: 'Webhook not found in the account.',
  },
  ambiguousHook: {
    code: 1101,
    status: 409,
    description: 'Several webhooks match. Delete by ID; the message lists the IDs.',
  },
  notFound: { code: 1102, status: 404, description: 'The account has nothing with this ID.' },
  hookExists: {
    code: 1103,
    status: 409,
    description: 'Another webhook of the account has the same URL, type, method, filter and headers.',
  },
  hookDisabled: {
    code: 1104,
    status: 409,
    description: 'The webhook is disabled, so nothing is sent to it. Enable it first.',
  },
  replayFinished: {
    code: 1105,
    status: 409,
    description: 'Replay already finished or canceled. It can no longer be changed.',
  },
  keyNotViewable: {
    code: 1106,
    status: 409,
    description: 'The API key was imported as a digest and cannot be revealed.',
  },
  testInFlight: {
    code: 1107,
    status: 409,
    description:
      'A test event to the webhook is in flight. While its circuit breaker is open, test events are sent one at a time.',
  },
  hookChanged: {
    code: 1108,
    status: 409,
    description: 'The webhook has another version than `expected_version`. Review its settings first.',
  },
  consumerInUse: {
    code: 1109,
    status: 409,
    description:
      'Another reader uses the consumer. Retry after `Retry-After`, when its lease may have ended.',
  },
  leaseLost: {
    code: 1112,
    status: 409,
    description:
      'The reader has lost its lease: another took over, or the position was changed. Poll without `lease`.',
  },
  consumerExists: { code: 1113, status: 409, description: 'Another consumer of the account has this name.' },
  idempotencyKeyReused: {
    code: 1114,
    status: 409,
    description: 'Another call of the account has used the `Idempotency-Key` in the last 24 hours.',
  },
  lastOwner: {
    code: 1115,
    status: 409,
    description: 'The last owner of the account. Make another member an owner first.',
  },
  memberExists: { code: 1116, status: 409, description: 'The user is already a member of the account.' },
  routeNotFound: { code: 1110, status: 404, description: 'Not found. Nothing is served at this path.' },
  methodNotAllowed: {
    code: 1111,
    status: 405,
    description: 'Method not allowed at this path. `Allow` lists the allowed methods.',
  },
  unknownAccount: { code: 1120, status: 404, description: 'An event names an account that does not exist.' },
  idempotencyConflict: {
    code: 1121,
    status: 409,
    description: 'Idempotency key reused with a different body.',
  },
  noMail: {
    code: 1130,
    status: 409,
    description: 'This installation sends no email. Ask its operator for help.',
  },
  secondFactorOn: {
    code: 1131,
    status: 409,
    description: 'Two-factor authentication is already on. Remove it before you set it up again.',
  },
  noSso: {
    code: 1140,
    status: 409,
    description: 'The account has no single sign-on. An owner can set it up.',
  },
  domainTaken: {
    code: 1141,
    status: 409,
    description: 'Another account has verified the domain. Contact the operator.',
  },
  domainNotVerified: {
    code: 1142,
    status: 409,
    description: 'The DNS record that proves the domain was not found. Add it, then try again.',
  },
  lastBreakGlass: {
    code: 1143,
    status: 409,
    description:
      'An account that requires single sign-on keeps an owner with two-factor authentication who can sign in without.',
  },
  rateLimited: {
    code: 1200,
    status: 429,
    description: 'Too many calls by the account in this minute. Retry after `Retry-After`.',
  },
  tooManyHooks: {
    code: 1201,
    status: 409,
    description: 'Webhook limit reached. Delete one first.',
  },
  backlogFull: {
    code: 1202,
    status: 429,
    description: 'Too many pending events. Submit them later.',
  },
  tooManyKeys: {
    code: 1203,
    status: 409,
    description: 'API key limit reached. Revoke one first.',
  },
  tooManyApps: {
    code: 1204,
    status: 409,
    description: 'OAuth app limit reached. Delete one first.',
  },
  tooManyTails: {
    code: 1205,
    status: 429,
    description: 'Live tail limit reached. Close one first.',
  },
  tooManyReplays: {
    code: 1206,
    status: 409,
    description: 'Replay limit reached. Wait for an unfinished replay, or cancel one.',
  },
  tooManySearches: {
    code: 1207,
    status: 429,
    description: 'Too many concurrent searches or other calls. Retry after `Retry-After`.',
  },
  tooManyChanges: {
    code: 1208,
    status: 429,
    description:
      'Too many webhook changes, or actions recorded in the audit log, in this minute or day. Retry after `Retry-After`.',
  },
  tooManyExports: {
    code: 1209,
    status: 429,
    description: 'Export limit reached. Wait until an export ends, or cancel one.',
  },
  tooManyConsumers: {
    code: 1210,
    status: 409,
    description: 'Consumer limit reached. Delete one first.',
  },
  tooManyMembers: {
    code: 1211,
    status: 409,
    description: 'Limit of members, invitations or accounts reached. Remove one first.',
  },
  tooManyChannels: {
    code: 1212,
    status: 409,
    description: 'Limit of channels for notices reached. Delete one first.',
  },
  tooManyPasskeys: {
    code: 1213,
    status: 409,
    description: 'Limit of passkeys reached. Remove one first.',
  },
  internal: {
    code: 1300,
    status: 500,
    description: 'Internal error. Retry; report `X-Request-Id` if it persists.',
  },
  unavailable: {
    code: 1301,
    status: 503,
    description: 'Service unavailable. Retry after `Retry-After` seconds.',
  },
} as const satisfies Record<string, CatalogEntry>

export type ErrorName = keyof typeof errorCatalog

/** Data beside the message, for programs. */
export interface ErrorDetails {
  /** The limit that was reached, such as the number of webhooks of an account. */
  limit?: number
  /** Largest valid value or length of the parameter. */
  max?: number
  /** Ids of existing objects that conflict with the call. */
  ids?: number[]
  /** Valid values of the parameter, or allowed methods. */
  allowed?: string[]
  /** Where the mistake starts in the text of the parameter, in UTF-16 code units. */
  index?: number
  /** Length of the mistake, in UTF-16 code units. */
  length?: number
  /** Options of a request for a passkey, for `navigator.credentials.get()`. */
  passkey_options?: PasskeyRequestOptions
  /** Public id of the connection to sign in with. */
  connection?: string
}

interface ApiErrorOptions {
  /** The parameter at fault. */
  field?: string
  details?: ErrorDetails
  /** When the caller may retry. */
  retryAfterSeconds?: number
  /** Further response headers, such as `Allow`. */
  headers?: Record<string, string>
}

/** An error with a public message. The caller sees the message, so it never contains a secret. */
export class ApiError extends Error {
  readonly reason: ErrorName
  readonly options: ApiErrorOptions

  constructor(reason: ErrorName, message: string, options: ApiErrorOptions = {}) {
    super(message)
    this.name = 'ApiError'
    this.reason = reason
    this.options = options
  }

  get code(): number {
    return errorCatalog[this.reason].code
  }

  get status(): number {
    return errorCatalog[this.reason].status
  }
}

/** An error that the operator can fix. The message names the problem and the fix, so no stack trace is shown. */
export class OperatorError extends Error {}
