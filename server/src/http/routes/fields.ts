/** Parameters and response fields shared by several operations. */
import { z } from 'zod'
import { auditActions } from '../../model/audit-actions.ts'
import { displayName, nameRule } from '../../model/display-name.ts'
import { maxId } from '../../model/hook.ts'
import { disabledReasonNames } from '../../model/hook-state.ts'
import { hookProblemNames } from '../../model/hook-problem.ts'
import { attemptReasonNames } from '../../model/delivery/outcome.ts'
import { deliveryReasonNames } from '../../model/delivery/reasons.ts'

/** Row id with 31 bits. */
export const id = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, { error: 'must be a positive integer' })
  .transform(Number)
  .refine((number) => number <= maxId, { error: 'must be a positive integer' })
  .meta({ type: 'integer', minimum: 1 })

/** Id in a path. An invalid one becomes 0, which results in "not found". */
export function pathId(description: string) {
  return z
    .string()
    .transform((text) => (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= maxId ? Number(text) : 0))
    .meta({ type: 'integer', minimum: 1, description })
}

export const name = z
  .string({ error: 'must be a string' })
  .trim()
  .regex(displayName, { error: `must have 1 to 100 characters: ${nameRule}` })

/** Email. Its format is validated where it is stored. */
export const email = z.string({ error: 'must be a string' })

export const password = z.string({ error: 'must be a string' })

export const instant = z.iso.datetime()

export const attemptReason = z.enum(attemptReasonNames).meta({ id: 'AttemptReason' })

/** Of an attempt, or of a delivery that finished without one. */
export const deliveryReason = z.enum(deliveryReasonNames).meta({ id: 'DeliveryReason' })

export const auditAction = z.enum(auditActions).meta({ id: 'AuditAction' })

export const hookProblem = z.enum(hookProblemNames).meta({
  id: 'WebhookProblem',
  description:
    'Part of the webhook that cannot be loaded. Deliveries stay pending until the webhook is saved again.',
})

/** Who or what disabled a webhook. */
export const disabledReason = z.enum(disabledReasonNames).meta({ id: 'DisabledReason' })
