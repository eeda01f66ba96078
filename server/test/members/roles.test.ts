/**
 * The table of roles and operations. It is written out, so that a new operation or another role of one is a decision that
 * shows up here. Each operation is called by a user of every role.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiRoutes } from '../../src/http/api-routes.ts'
import { type Role, roles } from '../../src/model/role.ts'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { addMember, type TestMember } from '../support/members.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

/** The least role of each operation that needs a user. */
const leastRoles: Record<Role, string[]> = {
  viewer: [
    'acceptInvitation',
    'addPasskey',
    'changeEmail',
    'changeNoticePreferences',
    'changePassword',
    'confirmEmail',
    'confirmSecondFactor',
    'confirmSso',
    'countUnreadNotices',
    'exportEvents',
    'findWebhooks',
    'listConsumers',
    'listDeprecatedUses',
    'listEventTypes',
    'listHooks',
    'listMembers',
    'listNoticeChannels',
    'listNotices',
    'listPasskeys',
    'listReplays',
    'linkSso',
    'listSessions',
    'listSsoIdentities',
    'listWebhookAttempts',
    'listWebhookVersions',
    'markNoticesSeen',
    'muteWebhook',
    'readCaller',
    'readConsumer',
    'readCountry',
    'readEvent',
    'readEventSchemas',
    'readNoticePreferences',
    'readOnboarding',
    'readOverview',
    'readReplay',
    'readSession',
    'readWebhook',
    'readWebhookHealth',
    'readWebhookStats',
    'removeMember',
    'removePasskey',
    'removeSecondFactor',
    'renamePasskey',
    'resendEmailVerification',
    'revokeOtherSessions',
    'revokeSession',
    'searchEvents',
    'sendTestNotice',
    'signOut',
    'startConfirmation',
    'startPasskey',
    'startSecondFactor',
    'streamEvents',
    'switchAccount',
    'unlinkSsoIdentity',
    'unmuteWebhook',
  ],
  support: ['countReplay', 'readEventAsCurl', 'startReplay', 'testWebhook'],
  developer: [
    'allowInteraction',
    'backtestFilter',
    'cancelReplay',
    'changeApp',
    'changeOnboarding',
    'commitConsumer',
    'createApp',
    'createConsumer',
    'createHook',
    'changeNoticeChannel',
    'createKey',
    'createNoticeChannel',
    'deleteNoticeChannel',
    'resendNoticeChannel',
    'testNoticeChannel',
    'createWebhook',
    'deleteApp',
    'deleteConsumer',
    'deleteHook',
    'disableWebhook',
    'editConsumer',
    'editWebhook',
    'enableWebhook',
    'listApps',
    'listAuthorizations',
    'listKeys',
    'pauseReplay',
    'pollConsumer',
    'previewWebhook',
    'readConsumerSecret',
    'readSigningSettings',
    'readTestReceiver',
    'readWebhookSecret',
    'readWebhookVersion',
    'releaseConsumer',
    'restoreWebhookVersion',
    'resumeReplay',
    'retryWebhook',
    'revokeAuthorization',
    'revokeKey',
    'rotateAppSecret',
    'rotateWebhookSecret',
    'seekConsumer',
    'testConsumer',
    'viewKey',
    'viewSigningKey',
  ],
  admin: [
    'changeMember',
    'createInvitation',
    'exportAudit',
    'listAudit',
    'listInvitations',
    'listMemberSecrets',
    'readSso',
    'renameAccount',
    'requireSignedCalls',
    'resendInvitation',
    'revokeInvitation',
    'rotateSigningKey',
    'setCountry',
    'switchSigningKey',
  ],
  owner: [
    'addSsoDomain',
    'changeSsoSettings',
    'configureSso',
    'removeSso',
    'removeSsoDomain',
    'transferOwnership',
    'verifySsoDomain',
  ],
}

/** Members below this role manage only what is their own, such as a key that they created. */
const roleForOthers: Record<string, Role> = {
  changeApp: 'admin',
  deleteApp: 'admin',
  removeMember: 'admin',
  revokeKey: 'admin',
  rotateAppSecret: 'admin',
}

/** They end the session of the test, or never end, and need no role above viewer. */
const notCalled = new Set(['revokeOtherSessions', 'signOut', 'streamEvents'])

const insufficientRole = 913

let hookline: TestService
let account: TestAccount
const members = new Map<Role, SignedIn>()

beforeAll(async () => {
  hookline = await startDashboardService({ CALLS_PER_MINUTE: '100000', LOGIN_ATTEMPTS: '0' })
  account = await hookline.account()
  for (const role of roles) {
    const member: TestMember =
      role === 'owner'
        ? account
        : await addMember(hookline, account, { role, canReveal: true, canExport: true })
    members.set(role, await signIn(hookline.url, member))
  }
})
afterAll(() => hookline.close())

const userRoutes = apiRoutes.filter(({ operation }) => !['anyone', 'token'].includes(operation.access))

test('the table contains every operation of users once', () => {
  const listed = Object.values(leastRoles).flat()
  expect(listed.toSorted()).toEqual(userRoutes.map(({ operation }) => operation.id).toSorted())
})

test.each(roles)(
  'a %s can call the operations of the role and those below it, and no other',
  async (role) => {
    const user = members.get(role)
    if (user === undefined) throw new Error('no such member')
    const allowed = new Set(roles.slice(0, roles.indexOf(role) + 1).flatMap((lower) => leastRoles[lower]))
    const unexpected: string[] = []
    for (const { verb, path, operation } of userRoutes) {
      if (notCalled.has(operation.id)) continue
      // Nothing has these ids, and no parameter is sent, so that allowed calls change nothing.
      const url = path.replaceAll(':id', '2147483000').replaceAll(':version', '1')
      const { json, text } = await user.call(url, { method: verb, ...(verb !== 'GET' && { json: {} }) })
      const forOthers = roleForOthers[operation.id] ?? 'viewer'
      const isAllowed = allowed.has(operation.id) && roles.indexOf(role) >= roles.indexOf(forOthers)
      if ((json?.code === insufficientRole) === isAllowed) unexpected.push(`${operation.id}: ${text}`)
    }
    expect(unexpected).toEqual([])
  },
)
