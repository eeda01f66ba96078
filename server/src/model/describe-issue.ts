/** Describes an invalid value: "must be a string". For schemas without a message of their own. */
import type { z } from 'zod'

export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${/^[aeio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected === 'int' ? 'integer' : issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(', ')}`}`
    case 'too_big':
      return `must ${measureOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`
    case 'too_small':
      return `must ${measureOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`
    case 'unrecognized_keys':
      return `has the unknown field "${issue.keys[0]?.slice(0, maxEchoedLength)}"`
    default:
      return 'is not valid'
  }
}

const maxEchoedLength = 50

function measureOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be'
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' elements' : ''
}
