/** All activities of the hostile tenant. They run concurrently. */
import type { Activity } from './activity.ts'
import { changeActivities } from './activities/changes.ts'
import { eventActivities } from './activities/events.ts'
import { readActivities } from './activities/reads.ts'
import { sessionActivities } from './activities/session.ts'
import { signInActivities } from './activities/sign-ins.ts'
import { tailActivities } from './activities/tails.ts'
import { wireActivities } from './activities/wire.ts'

export const activities: readonly Activity[] = [
  ...eventActivities,
  ...readActivities,
  ...tailActivities,
  ...changeActivities,
  ...sessionActivities,
  ...signInActivities,
  ...wireActivities,
]
