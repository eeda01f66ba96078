/** The route table of the public API: verb, path, operation. Each operation declares its required access. */
import type { Verb } from './operation/dialect.ts'
import type { Operation } from './operation/operation.ts'
import { changeEmailOperation } from './routes/account/change-email.ts'
import { confirmEmailOperation } from './routes/account/confirm-email.ts'
import { resendEmailVerificationOperation } from './routes/account/resend-verification.ts'
import { readCountryOperation } from './routes/account/read-country.ts'
import { renameAccountOperation } from './routes/account/rename.ts'
import { setCountryOperation } from './routes/account/set-country.ts'
import { changeAppOperation } from './routes/apps/change.ts'
import { createAppOperation } from './routes/apps/create.ts'
import { deleteAppOperation } from './routes/apps/delete.ts'
import { listAppsOperation } from './routes/apps/list.ts'
import { rotateAppSecretOperation } from './routes/apps/rotate-secret.ts'
import { readDashboardConfigOperation } from './routes/dashboard/read-config.ts'
import { exportAuditOperation } from './routes/audit/export.ts'
import { listAuditOperation } from './routes/audit/list.ts'
import { listAuthorizationsOperation } from './routes/authorizations/list.ts'
import { revokeAuthorizationOperation } from './routes/authorizations/revoke.ts'
import { listDeprecatedUsesOperation } from './routes/deprecated-uses/list.ts'
import { readEventAsCurlOperation } from './routes/events/read-as-curl.ts'
import { exportEventsOperation } from './routes/events/export.ts'
import { readEventOperation } from './routes/events/read.ts'
import { listEventTypesOperation } from './routes/event-types/list.ts'
import { readEventSchemasOperation } from './routes/event-types/schemas.ts'
import { searchEventsOperation } from './routes/events/search.ts'
import { listWebhookAttemptsOperation } from './routes/hooks/attempts.ts'
import { createWebhookOperation } from './routes/hooks/create.ts'
import { disableWebhookOperation } from './routes/hooks/disable.ts'
import { editWebhookOperation } from './routes/hooks/edit.ts'
import { enableWebhookOperation } from './routes/hooks/enable.ts'
import { readWebhookHealthOperation } from './routes/hooks/health.ts'
import { previewWebhookOperation } from './routes/hooks/preview.ts'
import { readWebhookOperation } from './routes/hooks/read.ts'
import { rotateWebhookSecretOperation } from './routes/hooks/rotate-secret.ts'
import { readWebhookSecretOperation } from './routes/hooks/secret.ts'
import { readWebhookStatsOperation } from './routes/hooks/stats.ts'
import { findWebhooksOperation } from './routes/hooks/find.ts'
import { retryWebhookOperation } from './routes/hooks/retry.ts'
import { listWebhookVersionsOperation } from './routes/hooks/versions.ts'
import { readWebhookVersionOperation, restoreWebhookVersionOperation } from './routes/hooks/version.ts'
import { testWebhookOperation } from './routes/hooks/send-test.ts'
import { backtestFilterOperation } from './routes/hooks/backtest-filter.ts'
import { commitConsumerOperation, releaseConsumerOperation } from './routes/consumers/commit.ts'
import { createConsumerOperation } from './routes/consumers/create.ts'
import { deleteConsumerOperation } from './routes/consumers/delete.ts'
import { editConsumerOperation } from './routes/consumers/edit.ts'
import { listConsumersOperation } from './routes/consumers/list.ts'
import { pollConsumerOperation } from './routes/consumers/poll.ts'
import { readConsumerOperation } from './routes/consumers/read.ts'
import { readConsumerSecretOperation } from './routes/consumers/secret.ts'
import { seekConsumerOperation } from './routes/consumers/seek.ts'
import { testConsumerOperation } from './routes/consumers/send-test.ts'
import { createHookOperation } from './routes/contract/create.ts'
import { deleteHookOperation } from './routes/contract/delete.ts'
import { listHooksOperation } from './routes/contract/list.ts'
import { allowInteractionOperation } from './routes/interactions/allow.ts'
import { denyInteractionOperation } from './routes/interactions/deny.ts'
import { readInteractionOperation } from './routes/interactions/read.ts'
import { acceptInvitationOperation } from './routes/invitations/accept.ts'
import { createInvitationOperation } from './routes/invitations/create.ts'
import { listInvitationsOperation } from './routes/invitations/list.ts'
import { readInvitationOperation } from './routes/invitations/read.ts'
import { registerInvitedOperation } from './routes/invitations/register.ts'
import { resendInvitationOperation } from './routes/invitations/resend.ts'
import { revokeInvitationOperation } from './routes/invitations/revoke.ts'
import { createKeyOperation } from './routes/keys/create.ts'
import { listKeysOperation } from './routes/keys/list.ts'
import { revokeKeyOperation } from './routes/keys/revoke.ts'
import { viewKeyOperation } from './routes/keys/view.ts'
import { readCallerOperation } from './routes/me/read-caller.ts'
import { readMeOperation } from './routes/me/read.ts'
import {
  changeChannelOperation,
  createChannelOperation,
  deleteChannelOperation,
  listChannelsOperation,
  resendChannelOperation,
  testChannelOperation,
} from './routes/notices/channels.ts'
import { countUnreadNoticesOperation, listNoticesOperation } from './routes/notices/list.ts'
import { markNoticesSeenOperation } from './routes/notices/mark-seen.ts'
import { muteWebhookOperation, unmuteWebhookOperation } from './routes/notices/mute.ts'
import {
  changeNoticePreferencesOperation,
  readNoticePreferencesOperation,
} from './routes/notices/preferences.ts'
import { sendTestNoticeOperation } from './routes/notices/send-test.ts'
import { changeMemberOperation } from './routes/members/change.ts'
import { listMembersOperation } from './routes/members/list.ts'
import { removeMemberOperation } from './routes/members/remove.ts'
import { listMemberSecretsOperation } from './routes/members/secrets.ts'
import { transferOwnershipOperation } from './routes/members/transfer.ts'
import { readOverviewOperation } from './routes/overview/read.ts'
import { changeOnboardingOperation } from './routes/onboarding/change.ts'
import { readOnboardingOperation } from './routes/onboarding/read.ts'
import { addPasskeyOperation } from './routes/passkeys/add.ts'
import { listPasskeysOperation } from './routes/passkeys/list.ts'
import { startPasskeyOperation } from './routes/passkeys/options.ts'
import { removePasskeyOperation } from './routes/passkeys/remove.ts'
import { renamePasskeyOperation } from './routes/passkeys/rename.ts'
import { requestPasswordResetOperation } from './routes/password/request-reset.ts'
import { changePasswordOperation } from './routes/password/change.ts'
import { resetPasswordOperation } from './routes/password/reset.ts'
import { registerOperation } from './routes/registration/register.ts'
import {
  cancelReplayOperation,
  pauseReplayOperation,
  resumeReplayOperation,
} from './routes/replays/change.ts'
import { countReplayOperation } from './routes/replays/count.ts'
import { listReplaysOperation } from './routes/replays/list.ts'
import { readReplayOperation } from './routes/replays/read.ts'
import { startReplayOperation } from './routes/replays/start.ts'
import { startSecondFactorOperation } from './routes/second-factor/start.ts'
import { confirmSecondFactorOperation } from './routes/second-factor/confirm.ts'
import { removeSecondFactorOperation } from './routes/second-factor/remove.ts'
import { startConfirmationOperation } from './routes/sessions/confirm-options.ts'
import { startPasskeySignInOperation } from './routes/sessions/passkey-options.ts'
import { passkeySignInOperation } from './routes/sessions/passkey-sign-in.ts'
import { readSessionOperation } from './routes/sessions/read.ts'
import { signInOperation } from './routes/sessions/sign-in.ts'
import { signOutOperation } from './routes/sessions/sign-out.ts'
import { revokeOtherSessionsOperation } from './routes/sessions/revoke-others.ts'
import { revokeSessionOperation } from './routes/sessions/revoke.ts'
import { listSessionsOperation } from './routes/sessions/list.ts'
import { switchAccountOperation } from './routes/sessions/switch-account.ts'
import { readSigningSettingsOperation } from './routes/signing-key/read.ts'
import { requireSignedCallsOperation } from './routes/signing-key/require.ts'
import { rotateSigningKeyOperation } from './routes/signing-key/rotate.ts'
import { switchSigningKeyOperation } from './routes/signing-key/switch.ts'
import { viewSigningKeyOperation } from './routes/signing-key/view.ts'
import { startSsoOperation } from './routes/sessions/start-sso.ts'
import { configureSsoOperation } from './routes/sso/configure.ts'
import { confirmSsoOperation } from './routes/sso/confirm.ts'
import {
  addSsoDomainOperation,
  removeSsoDomainOperation,
  verifySsoDomainOperation,
} from './routes/sso/domains.ts'
import { listSsoIdentitiesOperation, unlinkSsoIdentityOperation } from './routes/sso/identities.ts'
import { linkSsoOperation } from './routes/sso/link.ts'
import { readSsoOperation } from './routes/sso/read.ts'
import { removeSsoOperation } from './routes/sso/remove.ts'
import { changeSsoSettingsOperation } from './routes/sso/settings.ts'
import { readTestReceiverOperation } from './routes/test-receiver/read.ts'
import { streamEventsOperation } from './routes/events/stream.ts'

export interface ApiRoute {
  verb: Verb
  /** A segment such as `:id` becomes an input of the operation with that name. */
  path: string
  operation: Operation
}

/** Path of the fixed contract. Its parameters are read from query, form and JSON, as existing clients send them. */
export const contractPath = '/api/hooks'

export const apiRoutes: readonly ApiRoute[] = [
  { verb: 'GET', path: contractPath, operation: listHooksOperation },
  { verb: 'POST', path: contractPath, operation: createHookOperation },
  { verb: 'DELETE', path: contractPath, operation: deleteHookOperation },

  { verb: 'GET', path: '/api/hooks/find', operation: findWebhooksOperation },
  { verb: 'GET', path: '/api/hooks/health', operation: readWebhookHealthOperation },
  { verb: 'POST', path: '/api/hooks/create', operation: createWebhookOperation },
  { verb: 'POST', path: '/api/hooks/preview', operation: previewWebhookOperation },
  { verb: 'POST', path: '/api/hooks/backtest-filter', operation: backtestFilterOperation },
  { verb: 'GET', path: '/api/hooks/:id', operation: readWebhookOperation },
  { verb: 'POST', path: '/api/hooks/:id', operation: editWebhookOperation },
  { verb: 'POST', path: '/api/hooks/:id/disable', operation: disableWebhookOperation },
  { verb: 'POST', path: '/api/hooks/:id/enable', operation: enableWebhookOperation },
  { verb: 'POST', path: '/api/hooks/:id/test', operation: testWebhookOperation },
  { verb: 'POST', path: '/api/hooks/:id/retry', operation: retryWebhookOperation },
  { verb: 'GET', path: '/api/hooks/:id/secret', operation: readWebhookSecretOperation },
  { verb: 'POST', path: '/api/hooks/:id/secret', operation: rotateWebhookSecretOperation },
  { verb: 'GET', path: '/api/hooks/:id/stats', operation: readWebhookStatsOperation },
  { verb: 'GET', path: '/api/hooks/:id/attempts', operation: listWebhookAttemptsOperation },
  { verb: 'GET', path: '/api/hooks/:id/versions', operation: listWebhookVersionsOperation },
  { verb: 'GET', path: '/api/hooks/:id/versions/:version', operation: readWebhookVersionOperation },
  {
    verb: 'POST',
    path: '/api/hooks/:id/versions/:version/restore',
    operation: restoreWebhookVersionOperation,
  },

  { verb: 'POST', path: '/api/hooks/:id/mute', operation: muteWebhookOperation },
  { verb: 'POST', path: '/api/hooks/:id/unmute', operation: unmuteWebhookOperation },

  { verb: 'GET', path: '/api/notices', operation: listNoticesOperation },
  { verb: 'GET', path: '/api/notices/unread', operation: countUnreadNoticesOperation },
  { verb: 'POST', path: '/api/notices/seen', operation: markNoticesSeenOperation },
  { verb: 'GET', path: '/api/notices/preferences', operation: readNoticePreferencesOperation },
  { verb: 'POST', path: '/api/notices/preferences', operation: changeNoticePreferencesOperation },
  { verb: 'POST', path: '/api/notices/test', operation: sendTestNoticeOperation },
  { verb: 'GET', path: '/api/notices/channels', operation: listChannelsOperation },
  { verb: 'POST', path: '/api/notices/channels', operation: createChannelOperation },
  { verb: 'POST', path: '/api/notices/channels/:id', operation: changeChannelOperation },
  { verb: 'DELETE', path: '/api/notices/channels/:id', operation: deleteChannelOperation },
  { verb: 'POST', path: '/api/notices/channels/:id/resend', operation: resendChannelOperation },
  { verb: 'POST', path: '/api/notices/channels/:id/test', operation: testChannelOperation },

  { verb: 'GET', path: '/api/event-types', operation: listEventTypesOperation },
  { verb: 'GET', path: '/api/event-types/schemas', operation: readEventSchemasOperation },
  { verb: 'GET', path: '/api/events', operation: searchEventsOperation },
  { verb: 'GET', path: '/api/events/export', operation: exportEventsOperation },
  { verb: 'GET', path: '/api/events/stream', operation: streamEventsOperation },
  { verb: 'GET', path: '/api/events/:id', operation: readEventOperation },
  { verb: 'POST', path: '/api/events/:id/curl', operation: readEventAsCurlOperation },
  { verb: 'GET', path: '/api/caller', operation: readCallerOperation },
  { verb: 'GET', path: '/api/overview', operation: readOverviewOperation },
  { verb: 'GET', path: '/api/onboarding', operation: readOnboardingOperation },
  { verb: 'POST', path: '/api/onboarding', operation: changeOnboardingOperation },
  { verb: 'GET', path: '/api/test-receiver', operation: readTestReceiverOperation },

  { verb: 'GET', path: '/api/consumers', operation: listConsumersOperation },
  { verb: 'POST', path: '/api/consumers', operation: createConsumerOperation },
  { verb: 'GET', path: '/api/consumers/:id', operation: readConsumerOperation },
  { verb: 'POST', path: '/api/consumers/:id', operation: editConsumerOperation },
  { verb: 'DELETE', path: '/api/consumers/:id', operation: deleteConsumerOperation },
  { verb: 'POST', path: '/api/consumers/:id/poll', operation: pollConsumerOperation },
  { verb: 'POST', path: '/api/consumers/:id/commit', operation: commitConsumerOperation },
  { verb: 'POST', path: '/api/consumers/:id/release', operation: releaseConsumerOperation },
  { verb: 'POST', path: '/api/consumers/:id/seek', operation: seekConsumerOperation },
  { verb: 'POST', path: '/api/consumers/:id/test', operation: testConsumerOperation },
  { verb: 'GET', path: '/api/consumers/:id/secret', operation: readConsumerSecretOperation },

  { verb: 'POST', path: '/api/replays/count', operation: countReplayOperation },
  { verb: 'POST', path: '/api/replays', operation: startReplayOperation },
  { verb: 'GET', path: '/api/replays', operation: listReplaysOperation },
  { verb: 'GET', path: '/api/replays/:id', operation: readReplayOperation },
  { verb: 'POST', path: '/api/replays/:id/pause', operation: pauseReplayOperation },
  { verb: 'POST', path: '/api/replays/:id/resume', operation: resumeReplayOperation },
  { verb: 'POST', path: '/api/replays/:id/cancel', operation: cancelReplayOperation },

  { verb: 'POST', path: '/api/session', operation: signInOperation },
  { verb: 'GET', path: '/api/session', operation: readSessionOperation },
  { verb: 'DELETE', path: '/api/session', operation: signOutOperation },
  { verb: 'POST', path: '/api/session/account', operation: switchAccountOperation },
  { verb: 'POST', path: '/api/session/passkey', operation: passkeySignInOperation },
  { verb: 'POST', path: '/api/session/passkey/options', operation: startPasskeySignInOperation },
  { verb: 'POST', path: '/api/session/confirm/options', operation: startConfirmationOperation },
  { verb: 'POST', path: '/api/session/sso', operation: startSsoOperation },

  { verb: 'GET', path: '/api/sso', operation: readSsoOperation },
  { verb: 'POST', path: '/api/sso', operation: configureSsoOperation },
  { verb: 'DELETE', path: '/api/sso', operation: removeSsoOperation },
  { verb: 'POST', path: '/api/sso/settings', operation: changeSsoSettingsOperation },
  { verb: 'POST', path: '/api/sso/domains', operation: addSsoDomainOperation },
  { verb: 'POST', path: '/api/sso/domains/:id/verify', operation: verifySsoDomainOperation },
  { verb: 'DELETE', path: '/api/sso/domains/:id', operation: removeSsoDomainOperation },
  { verb: 'POST', path: '/api/sso/link', operation: linkSsoOperation },
  { verb: 'POST', path: '/api/sso/confirm', operation: confirmSsoOperation },
  { verb: 'GET', path: '/api/sso/identities', operation: listSsoIdentitiesOperation },
  { verb: 'DELETE', path: '/api/sso/identities/:id', operation: unlinkSsoIdentityOperation },

  { verb: 'GET', path: '/api/dashboard-config', operation: readDashboardConfigOperation },
  { verb: 'POST', path: '/api/registration', operation: registerOperation },
  { verb: 'POST', path: '/api/password-resets', operation: requestPasswordResetOperation },
  { verb: 'POST', path: '/api/password-resets/confirm', operation: resetPasswordOperation },

  { verb: 'GET', path: '/api/sessions', operation: listSessionsOperation },
  { verb: 'DELETE', path: '/api/sessions', operation: revokeOtherSessionsOperation },
  { verb: 'DELETE', path: '/api/sessions/:id', operation: revokeSessionOperation },
  { verb: 'POST', path: '/api/password', operation: changePasswordOperation },
  { verb: 'POST', path: '/api/second-factor', operation: startSecondFactorOperation },
  { verb: 'POST', path: '/api/second-factor/confirm', operation: confirmSecondFactorOperation },
  { verb: 'DELETE', path: '/api/second-factor', operation: removeSecondFactorOperation },
  { verb: 'GET', path: '/api/passkeys', operation: listPasskeysOperation },
  { verb: 'POST', path: '/api/passkeys', operation: addPasskeyOperation },
  { verb: 'POST', path: '/api/passkeys/options', operation: startPasskeyOperation },
  { verb: 'POST', path: '/api/passkeys/:id', operation: renamePasskeyOperation },
  { verb: 'DELETE', path: '/api/passkeys/:id', operation: removePasskeyOperation },
  { verb: 'POST', path: '/api/account', operation: renameAccountOperation },
  { verb: 'GET', path: '/api/account/country', operation: readCountryOperation },
  { verb: 'POST', path: '/api/account/country', operation: setCountryOperation },
  { verb: 'POST', path: '/api/login', operation: changeEmailOperation },
  { verb: 'POST', path: '/api/login/verification', operation: resendEmailVerificationOperation },
  { verb: 'POST', path: '/api/login/verification/confirm', operation: confirmEmailOperation },
  { verb: 'GET', path: '/api/audit', operation: listAuditOperation },
  { verb: 'GET', path: '/api/audit/export', operation: exportAuditOperation },

  { verb: 'GET', path: '/api/members', operation: listMembersOperation },
  { verb: 'POST', path: '/api/members/:id', operation: changeMemberOperation },
  { verb: 'DELETE', path: '/api/members/:id', operation: removeMemberOperation },
  { verb: 'GET', path: '/api/members/:id/secrets', operation: listMemberSecretsOperation },
  { verb: 'POST', path: '/api/members/:id/transfer', operation: transferOwnershipOperation },
  { verb: 'GET', path: '/api/invitations', operation: listInvitationsOperation },
  { verb: 'POST', path: '/api/invitations', operation: createInvitationOperation },
  { verb: 'POST', path: '/api/invitations/read', operation: readInvitationOperation },
  { verb: 'POST', path: '/api/invitations/accept', operation: acceptInvitationOperation },
  { verb: 'POST', path: '/api/invitations/register', operation: registerInvitedOperation },
  { verb: 'POST', path: '/api/invitations/:id/resend', operation: resendInvitationOperation },
  { verb: 'DELETE', path: '/api/invitations/:id', operation: revokeInvitationOperation },

  { verb: 'GET', path: '/api/keys', operation: listKeysOperation },
  { verb: 'POST', path: '/api/keys', operation: createKeyOperation },
  { verb: 'POST', path: '/api/keys/:id/view', operation: viewKeyOperation },
  { verb: 'DELETE', path: '/api/keys/:id', operation: revokeKeyOperation },
  { verb: 'GET', path: '/api/signing-key', operation: readSigningSettingsOperation },
  { verb: 'POST', path: '/api/signing-key', operation: requireSignedCallsOperation },
  { verb: 'POST', path: '/api/signing-key/view', operation: viewSigningKeyOperation },
  { verb: 'POST', path: '/api/signing-key/rotate', operation: rotateSigningKeyOperation },
  { verb: 'POST', path: '/api/signing-key/switch', operation: switchSigningKeyOperation },
  { verb: 'GET', path: '/api/deprecated-uses', operation: listDeprecatedUsesOperation },

  { verb: 'GET', path: '/api/apps', operation: listAppsOperation },
  { verb: 'POST', path: '/api/apps', operation: createAppOperation },
  { verb: 'POST', path: '/api/apps/:id', operation: changeAppOperation },
  { verb: 'POST', path: '/api/apps/:id/secret', operation: rotateAppSecretOperation },
  { verb: 'DELETE', path: '/api/apps/:id', operation: deleteAppOperation },

  { verb: 'GET', path: '/api/authorizations', operation: listAuthorizationsOperation },
  { verb: 'DELETE', path: '/api/authorizations/:id', operation: revokeAuthorizationOperation },

  { verb: 'GET', path: '/oauth/me', operation: readMeOperation },
  { verb: 'GET', path: '/api/interactions/:id', operation: readInteractionOperation },
  { verb: 'POST', path: '/api/interactions/:id/allow', operation: allowInteractionOperation },
  { verb: 'POST', path: '/api/interactions/:id/deny', operation: denyInteractionOperation },
]

export function findOperation(verb: Verb, path: string): Operation | undefined {
  return apiRoutes.find((route) => route.verb === verb && route.path === path)?.operation
}

/** Returns the verbs of the routes that match a path. */
export function verbsOf(path: string): Verb[] {
  return apiRoutes.filter((route) => matches(route.path, path)).map((route) => route.verb)
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/')
  const actual = path.split('/')
  return (
    expected.length === actual.length &&
    expected.every((segment, index) =>
      segment.startsWith(':') ? actual[index] !== '' : segment === actual[index],
    )
  )
}
