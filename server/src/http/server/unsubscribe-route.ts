/**
 * The links of emails that turn off notices. A POST unsubscribes, from the page or as one-click from a mail client
 * (RFC 8058). A GET only shows the page, because mail scanners follow links. The link is the credential, so no session is
 * needed.
 */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import { unsubscribe } from '../../notices/preferences.ts'
import {
  readUnsubscription,
  unsubscribePath,
  type UnsubscribeGroup,
  type Unsubscription,
} from '../../notices/unsubscribe-link.ts'
import type { Vault } from '../../vault/vault.ts'
import { formButton, queryOf, sendPlainPage } from './plain-page.ts'

interface UnsubscribeDeps {
  /** Connections for calls without credentials. */
  anonymousDb: Database
  vault: Vault
}

const maxBodyBytes = 10_000

const groupTexts: Record<UnsubscribeGroup, string> = {
  failing: 'emails about failing webhooks',
  disabled: 'emails about disabled webhooks',
  lost: 'emails about lost deliveries',
  slow: 'emails about slow responses',
  certificates: 'emails about certificates that expire',
  credentials: 'emails about keys and secrets that expire, and deprecated credentials',
  security: 'emails about security changes of this account',
  all: 'all emails about this account',
}

export function addUnsubscribe(app: FastifyInstance, { anonymousDb, vault }: UnsubscribeDeps): void {
  app.route({
    method: ['GET', 'POST'],
    exposeHeadRoute: false,
    url: unsubscribePath,
    bodyLimit: maxBodyBytes,
    async handler(request, reply) {
      const unsubscription = readUnsubscription(vault, queryOf(request))
      if (unsubscription === undefined)
        return sendPlainPage(reply, 404, {
          heading: 'Link not valid',
          sentence: 'Open the link as it is in the email, or sign in.',
        })
      const emails = describe(unsubscription)
      if (request.method === 'GET')
        return sendPlainPage(reply, 200, {
          heading: 'Unsubscribe',
          sentence: `You will no longer get ${emails}.`,
          form: formButton('Unsubscribe'),
        })
      await unsubscribe(anonymousDb, unsubscription)
      return sendPlainPage(reply, 200, {
        heading: 'Unsubscribed',
        sentence: `You no longer get ${emails}.${'channelId' in unsubscription ? '' : ' Sign in to change this.'}`,
      })
    },
  })
}

function describe(unsubscription: Unsubscription): string {
  return 'channelId' in unsubscription ? 'notices of this account' : groupTexts[unsubscription.group]
}
