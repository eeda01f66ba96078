/**
 * The link that confirms the address of a channel. Only a POST confirms, because mail scanners follow links. Its holder needs
 * no login, so the page works without the dashboard.
 */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import { confirmChannel, findConfirmation } from '../../notices/channels.ts'
import type { Vault } from '../../vault/vault.ts'
import { escapeHtml } from '../../model/escape-html.ts'
import { formButton, queryOf, sendPlainPage } from './plain-page.ts'

interface ConfirmDeps {
  /** Connections for calls without credentials. */
  anonymousDb: Database
  vault: Vault
}

export const confirmChannelPath = '/notices/confirm'

const maxBodyBytes = 10_000

export function addConfirmChannel(app: FastifyInstance, { anonymousDb, vault }: ConfirmDeps): void {
  app.route({
    method: ['GET', 'POST'],
    exposeHeadRoute: false,
    url: confirmChannelPath,
    bodyLimit: maxBodyBytes,
    async handler(request, reply) {
      const token = queryOf(request).get('token') ?? ''
      const found = await findConfirmation(anonymousDb, vault, token)
      if (found === undefined)
        return sendPlainPage(reply, 404, {
          heading: 'Link not valid',
          sentence:
            'The link works once within 24 hours. If you have not confirmed this address yet, ask a member of the account to resend the link.',
        })
      const account = `the account “${escapeHtml(found.accountName)}”`
      if (request.method === 'GET')
        return sendPlainPage(reply, 200, {
          heading: 'Confirm notices',
          sentence: `${escapeHtml(found.address)} will get notices about webhooks of ${account}.`,
          form: formButton('Confirm'),
        })
      await confirmChannel(anonymousDb, vault, token)
      return sendPlainPage(reply, 200, {
        heading: 'Confirmed',
        sentence: `${escapeHtml(found.address)} gets notices about webhooks of ${account} from now on. Each email has a link to unsubscribe.`,
      })
    },
  })
}
