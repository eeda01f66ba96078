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
  failing: 'emails about failing webhooks of this account',
  disabled: 'emails about disabled webhooks of this account',
  lost: 'emails about lost deliveries of this account',
  slow: 'emails about slow responses to webhooks of this account',
  certificates: 'emails about certificates that expire, for webhooks of this account',
  credentials: 'emails about keys and secrets of this account that expire, and deprecated credentials',
  security: 'emails about security changes of this account',
  all: 'emails about this account, except about sign-ins and changes of your login',
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
          sentence: `Copy the whole link from the email, or open your ${settingsLink}.`,
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
        sentence: `You no longer get ${emails}. ${wayBack(unsubscription)}`,
      })
    },
  })
}

const settingsLink = '<a href="/account/notices">notice settings</a>'

/** The channel is deleted, and its address may belong to nobody with a login. */
function wayBack(unsubscription: Unsubscription): string {
  return 'channelId' in unsubscription
    ? 'A member of the account can add this address again.'
    : `To turn them on again, open your ${settingsLink}.`
}

function describe(unsubscription: Unsubscription): string {
  return 'channelId' in unsubscription ? 'notices of this account' : groupTexts[unsubscription.group]
}
