/** Validates hook definitions by the model's rules and the limits of this installation. */
import type { ChangeLimits } from '../db/change-count.ts'
import { type CustomHeaderRules, canonicalHeaders, validateHeaders } from '../model/custom-headers.ts'
import { ApiError } from '../model/errors.ts'
import { validateFilter } from '../model/filter/event-filter.ts'
import type { HookDefinition } from '../model/hook.ts'
import { type TargetUrlRules, normalizeTargetUrl } from '../model/target-url.ts'

export interface HookLimits {
  targetUrl: TargetUrlRules
  headers: CustomHeaderRules
  maxFilterBytes: number
  hooksPerAccount: number
  changes: ChangeLimits
}

/** Returns the values as stored, with the URL to call. Rejects invalid definitions. */
export function validateHook(rules: HookLimits, input: HookDefinition): HookDefinition & { callUrl: string } {
  const callUrl = normalizeTargetUrl(input.targetUrl, rules.targetUrl)
  const headers = canonicalHeaders(input.headers)
  validateHeaders(headers, rules.headers)
  if (input.eventFilter !== null) validateFilter(input.eventFilter, rules.maxFilterBytes)
  return { ...input, headers, callUrl }
}

export interface HookProblem {
  field: 'target_url' | 'headers' | 'event_filter'
  code: number
  message: string
}

/** Returns all problems at once, for a form that is being edited. */
export function findProblems(rules: HookLimits, input: HookDefinition): HookProblem[] {
  const { targetUrl, headers, eventFilter } = input
  return [
    ...problemOf('target_url', () => normalizeTargetUrl(targetUrl, rules.targetUrl)),
    ...problemOf('headers', () => validateHeaders(canonicalHeaders(headers), rules.headers)),
    ...problemOf(
      'event_filter',
      () => eventFilter !== null && validateFilter(eventFilter, rules.maxFilterBytes),
    ),
  ]
}

function problemOf(field: HookProblem['field'], validate: () => unknown): HookProblem[] {
  try {
    validate()
    return []
  } catch (error) {
    if (error instanceof ApiError) return [{ field, code: error.code, message: error.message }]
    throw error
  }
}
