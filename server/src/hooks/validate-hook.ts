/** Validates hook definitions by the model's rules and the limits of this installation. */
import type { ChangeLimits } from '../db/change-count.ts'
import { type CustomHeaderRules, canonicalHeaders, validateHeaders } from '../model/custom-headers.ts'
import { ApiError } from '../model/errors.ts'
import { validateFilter } from '../model/filter/event-filter.ts'
import { InvalidExpression } from '../model/filter/expression-error.ts'
import type { HookDefinition } from '../model/hook.ts'
import { type TargetUrlRules, normalizeTargetUrl, suggestTargetUrl } from '../model/target-url.ts'

export interface HookLimits {
  targetUrl: TargetUrlRules
  headers: CustomHeaderRules
  maxFilterBytes: number
  hooksPerAccount: number
  changes: ChangeLimits
  /** Returns the URL of the account's test receiver, the only one of this service that its webhooks may have. */
  testReceiverUrl?: ((accountId: number) => string) | undefined
}

/** Returns the values as stored, with the URL to call. Rejects invalid definitions. */
export function validateHook(
  rules: HookLimits,
  accountId: number,
  input: HookDefinition,
): HookDefinition & { callUrl: string } {
  const callUrl = callUrlOf(rules, accountId, input.targetUrl)
  const headers = canonicalHeaders(input.headers)
  validateHeaders(headers, rules.headers)
  if (input.eventFilter !== null) validateFilter(input.eventFilter, rules.maxFilterBytes)
  return { ...input, headers, callUrl }
}

export interface HookProblem {
  field: 'target_url' | 'headers' | 'event_filter'
  code: number
  message: string
  /** The part of the value that the problem is about, in UTF-16 code units. Null: all of it. */
  position: { index: number; length: number } | null
  /** A value that would be accepted, for the user to choose. */
  suggestion: string | null
}

/** Returns all problems at once, for a form that is being edited. */
export function findProblems(rules: HookLimits, accountId: number, input: HookDefinition): HookProblem[] {
  const { targetUrl, headers, eventFilter } = input
  return [
    ...problemOf('target_url', () => callUrlOf(rules, accountId, targetUrl)).map((problem) =>
      withSuggestion(problem, suggestTargetUrl(targetUrl, rules.targetUrl)),
    ),
    ...problemOf('headers', () => validateHeaders(canonicalHeaders(headers), rules.headers)),
    ...problemOf(
      'event_filter',
      () => eventFilter !== null && validateFilter(eventFilter, rules.maxFilterBytes),
    ),
  ]
}

function callUrlOf(rules: HookLimits, accountId: number, targetUrl: string): string {
  // Compared as text: any other spelling of the URL is validated like a URL of this service, and rejected.
  return targetUrl === rules.testReceiverUrl?.(accountId)
    ? targetUrl
    : normalizeTargetUrl(targetUrl, rules.targetUrl)
}

function withSuggestion(problem: HookProblem, suggestion: string | null): HookProblem {
  return suggestion === null
    ? problem
    : { ...problem, message: `Invalid URL: start it with ${new URL(suggestion).protocol}//.`, suggestion }
}

function problemOf(field: HookProblem['field'], validate: () => unknown): HookProblem[] {
  try {
    validate()
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { index, length } = error.options.details ?? {}
    return [
      {
        field,
        code: error.code,
        message: error instanceof InvalidExpression ? error.sentence : error.message,
        position: index === undefined || length === undefined ? null : { index, length },
        suggestion: null,
      },
    ]
  }
}
