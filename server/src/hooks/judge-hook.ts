/** What every way to define a hook has in common: the model's rules, under the limits of this installation. */
import type { ChangeLimits } from '../db/change-count.ts'
import { type CustomHeaderRules, canonicalHeaders, judgeHeaders } from '../model/custom-headers.ts'
import { Refusal } from '../model/errors.ts'
import { judgeFilter } from '../model/event-filter.ts'
import type { HookDefinition } from '../model/hook.ts'
import { type TargetUrlRules, normaliseTargetUrl } from '../model/target-url.ts'

export interface HookRules {
  targetUrl: TargetUrlRules
  headers: CustomHeaderRules
  maxFilterBytes: number
  hooksPerAccount: number
  changes: ChangeLimits
}

/** The values as they are kept, with the address as it is called. Refuses what cannot be a hook. */
export function judgeHook(rules: HookRules, given: HookDefinition): HookDefinition & { callUrl: string } {
  const callUrl = normaliseTargetUrl(given.targetUrl, rules.targetUrl)
  const headers = canonicalHeaders(given.headers)
  judgeHeaders(headers, rules.headers)
  if (given.eventFilter !== null) judgeFilter(given.eventFilter, rules.maxFilterBytes)
  return { ...given, headers, callUrl }
}

export interface HookProblem {
  field: 'target_url' | 'headers' | 'event_filter'
  message: string
}

/** All that is wrong at once, for a person who is still typing. */
export function findProblems(rules: HookRules, given: HookDefinition): HookProblem[] {
  const { targetUrl, headers, eventFilter } = given
  return [
    ...problemOf('target_url', () => normaliseTargetUrl(targetUrl, rules.targetUrl)),
    ...problemOf('headers', () => judgeHeaders(canonicalHeaders(headers), rules.headers)),
    ...problemOf(
      'event_filter',
      () => eventFilter !== null && judgeFilter(eventFilter, rules.maxFilterBytes),
    ),
  ]
}

function problemOf(field: HookProblem['field'], judge: () => unknown): HookProblem[] {
  try {
    judge()
    return []
  } catch (error) {
    if (error instanceof Refusal) return [{ field, message: error.message }]
    throw error
  }
}
