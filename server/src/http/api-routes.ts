/** Every call of the public API: verb, path, what it does. Who may call stands in each operation as its access. */
import type { Verb } from './dialect.ts'
import type { Operation } from './operation.ts'
import { changeEmail } from './routes/account/change-email.ts'
import { confirmOwnEmail } from './routes/account/confirm-email.ts'
import { resendVerification } from './routes/account/resend-verification.ts'
import { renameOwnAccount } from './routes/account/rename.ts'
import { changeApp } from './routes/apps/change.ts'
import { createApp } from './routes/apps/create.ts'
import { deleteApp } from './routes/apps/delete.ts'
import { listApps } from './routes/apps/list.ts'
import { rotateAppSecret } from './routes/apps/rotate-secret.ts'
import { readArea } from './routes/area/read.ts'
import { exportOwnAudit } from './routes/audit/export.ts'
import { listOwnAudit } from './routes/audit/list.ts'
import { listAuthorizations } from './routes/authorizations/list.ts'
import { revokeAuthorization } from './routes/authorizations/revoke.ts'
import { listOwnDeprecatedUses } from './routes/deprecated-uses/list.ts'
import { curlOfEvent } from './routes/events/curl.ts'
import { readEvent } from './routes/events/read.ts'
import { searchEvents } from './routes/events/search.ts'
import { listHookAttempts } from './routes/hook/attempts.ts'
import { disableOneHook } from './routes/hook/disable.ts'
import { editOneHook } from './routes/hook/edit.ts'
import { enableOneHook } from './routes/hook/enable.ts'
import { readHookHealth } from './routes/hook/health.ts'
import { previewHook } from './routes/hook/preview.ts'
import { readOneHook } from './routes/hook/read.ts'
import { rotateHookSecret } from './routes/hook/rotate-secret.ts'
import { readSecret } from './routes/hook/secret.ts'
import { readHookStats } from './routes/hook/stats.ts'
import { testOneHook } from './routes/hook/test.ts'
import { tryHookFilter } from './routes/hook/try-filter.ts'
import { createOperation } from './routes/hooks/create.ts'
import { deleteOperation } from './routes/hooks/delete.ts'
import { listOperation } from './routes/hooks/list.ts'
import { allowInteraction } from './routes/interactions/allow.ts'
import { denyInteraction } from './routes/interactions/deny.ts'
import { readInteraction } from './routes/interactions/read.ts'
import { createOwnKey } from './routes/keys/create.ts'
import { listOwnKeys } from './routes/keys/list.ts'
import { revokeOwnKey } from './routes/keys/revoke.ts'
import { viewOwnKey } from './routes/keys/view.ts'
import { readAccountOverview } from './routes/overview/read.ts'
import { askForLink } from './routes/password/ask-for-link.ts'
import { changePassword } from './routes/password/change.ts'
import { resetPassword } from './routes/password/reset.ts'
import { register } from './routes/registration/register.ts'
import { cancelOneReplay, pauseOneReplay, resumeOneReplay } from './routes/replays/change.ts'
import { countReplay } from './routes/replays/count.ts'
import { listAllReplays } from './routes/replays/list.ts'
import { readOneReplay } from './routes/replays/read.ts'
import { startOneReplay } from './routes/replays/start.ts'
import { beginOwnSecondFactor } from './routes/second-factor/begin.ts'
import { confirmOwnSecondFactor } from './routes/second-factor/confirm.ts'
import { removeOwnSecondFactor } from './routes/second-factor/remove.ts'
import { readSession } from './routes/session/read.ts'
import { signIn } from './routes/session/sign-in.ts'
import { signOut } from './routes/session/sign-out.ts'
import { endOtherSessions } from './routes/sessions/end-others.ts'
import { endOwnSession } from './routes/sessions/end.ts'
import { listOwnSessions } from './routes/sessions/list.ts'
import { streamEvents } from './routes/stream/stream.ts'

export interface ApiRoute {
  verb: Verb
  /** A part such as `:id` is given to the operation under its name. */
  path: string
  operation: Operation
}

/** The contract's path: its parameters are read in every way that existing clients send them. */
export const contractPath = '/api/hooks'

export const apiRoutes: readonly ApiRoute[] = [
  { verb: 'GET', path: contractPath, operation: listOperation },
  { verb: 'POST', path: contractPath, operation: createOperation },
  { verb: 'DELETE', path: contractPath, operation: deleteOperation },

  { verb: 'GET', path: '/api/hooks/health', operation: readHookHealth },
  { verb: 'POST', path: '/api/hooks/preview', operation: previewHook },
  { verb: 'POST', path: '/api/hooks/try-filter', operation: tryHookFilter },
  { verb: 'GET', path: '/api/hooks/:id', operation: readOneHook },
  { verb: 'POST', path: '/api/hooks/:id', operation: editOneHook },
  { verb: 'POST', path: '/api/hooks/:id/disable', operation: disableOneHook },
  { verb: 'POST', path: '/api/hooks/:id/enable', operation: enableOneHook },
  { verb: 'POST', path: '/api/hooks/:id/test', operation: testOneHook },
  { verb: 'GET', path: '/api/hooks/:id/secret', operation: readSecret },
  { verb: 'POST', path: '/api/hooks/:id/secret', operation: rotateHookSecret },
  { verb: 'GET', path: '/api/hooks/:id/stats', operation: readHookStats },
  { verb: 'GET', path: '/api/hooks/:id/attempts', operation: listHookAttempts },

  { verb: 'GET', path: '/api/events', operation: searchEvents },
  { verb: 'GET', path: '/api/events/stream', operation: streamEvents },
  { verb: 'GET', path: '/api/events/:id', operation: readEvent },
  { verb: 'POST', path: '/api/events/:id/curl', operation: curlOfEvent },
  { verb: 'GET', path: '/api/overview', operation: readAccountOverview },

  { verb: 'POST', path: '/api/replays/count', operation: countReplay },
  { verb: 'POST', path: '/api/replays', operation: startOneReplay },
  { verb: 'GET', path: '/api/replays', operation: listAllReplays },
  { verb: 'GET', path: '/api/replays/:id', operation: readOneReplay },
  { verb: 'POST', path: '/api/replays/:id/pause', operation: pauseOneReplay },
  { verb: 'POST', path: '/api/replays/:id/resume', operation: resumeOneReplay },
  { verb: 'POST', path: '/api/replays/:id/cancel', operation: cancelOneReplay },

  { verb: 'POST', path: '/api/session', operation: signIn },
  { verb: 'GET', path: '/api/session', operation: readSession },
  { verb: 'DELETE', path: '/api/session', operation: signOut },

  { verb: 'GET', path: '/api/area', operation: readArea },
  { verb: 'POST', path: '/api/registration', operation: register },
  { verb: 'POST', path: '/api/password-resets', operation: askForLink },
  { verb: 'POST', path: '/api/password-resets/confirm', operation: resetPassword },

  { verb: 'GET', path: '/api/sessions', operation: listOwnSessions },
  { verb: 'DELETE', path: '/api/sessions', operation: endOtherSessions },
  { verb: 'DELETE', path: '/api/sessions/:id', operation: endOwnSession },
  { verb: 'POST', path: '/api/password', operation: changePassword },
  { verb: 'POST', path: '/api/second-factor', operation: beginOwnSecondFactor },
  { verb: 'POST', path: '/api/second-factor/confirm', operation: confirmOwnSecondFactor },
  { verb: 'DELETE', path: '/api/second-factor', operation: removeOwnSecondFactor },
  { verb: 'POST', path: '/api/account', operation: renameOwnAccount },
  { verb: 'POST', path: '/api/login', operation: changeEmail },
  { verb: 'POST', path: '/api/login/verification', operation: resendVerification },
  { verb: 'POST', path: '/api/login/verification/confirm', operation: confirmOwnEmail },
  { verb: 'GET', path: '/api/audit', operation: listOwnAudit },
  { verb: 'GET', path: '/api/audit/export', operation: exportOwnAudit },

  { verb: 'GET', path: '/api/keys', operation: listOwnKeys },
  { verb: 'POST', path: '/api/keys', operation: createOwnKey },
  { verb: 'POST', path: '/api/keys/:id/view', operation: viewOwnKey },
  { verb: 'DELETE', path: '/api/keys/:id', operation: revokeOwnKey },
  { verb: 'GET', path: '/api/deprecated-uses', operation: listOwnDeprecatedUses },

  { verb: 'GET', path: '/api/apps', operation: listApps },
  { verb: 'POST', path: '/api/apps', operation: createApp },
  { verb: 'POST', path: '/api/apps/:id', operation: changeApp },
  { verb: 'POST', path: '/api/apps/:id/secret', operation: rotateAppSecret },
  { verb: 'DELETE', path: '/api/apps/:id', operation: deleteApp },

  { verb: 'GET', path: '/api/authorizations', operation: listAuthorizations },
  { verb: 'DELETE', path: '/api/authorizations/:id', operation: revokeAuthorization },

  { verb: 'GET', path: '/api/interactions/:id', operation: readInteraction },
  { verb: 'POST', path: '/api/interactions/:id/allow', operation: allowInteraction },
  { verb: 'POST', path: '/api/interactions/:id/deny', operation: denyInteraction },
]

export function findOperation(verb: Verb, path: string): Operation | undefined {
  return apiRoutes.find((route) => route.verb === verb && route.path === path)?.operation
}

/** The verbs that an actual path has. */
export function verbsOf(path: string): Verb[] {
  return apiRoutes.filter((route) => matches(route.path, path)).map((route) => route.verb)
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, place) => (part.startsWith(':') ? given[place] !== '' : part === given[place]))
  )
}
