import { z } from 'zod'
import { listApps as list } from '../../../identity/oauth/apps.ts'
import { sessionOperation } from '../../operation/operation.ts'
import { findManageable } from '../require-own.ts'
import { appResponse, presentApp } from './present.ts'

export const listAppsOperation = sessionOperation({
  id: 'listApps',
  group: 'OAuth apps',
  role: 'developer',
  summary: 'List OAuth apps',
  description: 'Lists the OAuth apps of your account, newest first.',
  params: z.object({}),
  response: z.object({ apps: z.array(appResponse) }),
  errors: [],
  async handle({ db }, { user }) {
    const apps = await list(db, user.accountId)
    const isManageable = await findManageable(db, user)
    return { apps: apps.map((app) => presentApp(app, isManageable(`app:${app.id}`))) }
  },
})
