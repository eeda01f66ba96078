/**
 * The links of emails that turn off notices. A POST unsubscribes, from the page or as one-click from a mail client
 * (RFC 8058). A GET only shows the page, because mail scanners follow links. The link is the credential, so no session is
 * needed.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { unsubscribe } from '../../notices/preferences.ts'
import { readUnsubscription, unsubscribePath, type UnsubscribeGroup } from '../../notices/unsubscribe-link.ts'
import type { Vault } from '../../vault/vault.ts'
import { plainPage, plainPagePolicy } from './plain-page.ts'

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
  all: 'all emails about webhooks of this account',
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
        return sendPage(reply, 404, 'Link not valid', 'Open the link as it is in the email, or sign in.')
      const emails = groupTexts[unsubscription.group]
      if (request.method === 'GET')
        return sendPage(reply, 200, 'Unsubscribe', `You will no longer get ${emails}.`, button)
      await unsubscribe(anonymousDb, unsubscription)
      return sendPage(reply, 200, 'Unsubscribed', `You no longer get ${emails}. Sign in to change this.`)
    },
  })
}

/** Sends the form to the URL of the page. */
const button = '<form method="post"><button>Unsubscribe</button></form>'

function queryOf({ url }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'))
}

function sendPage(
  reply: FastifyReply,
  status: number,
  heading: string,
  sentence: string,
  form = '',
): FastifyReply {
  return reply
    .status(status)
    .header('content-security-policy', plainPagePolicy("'self'"))
    .type('text/html; charset=utf-8')
    .send(plainPage({ title: heading, heading }, `<p>${sentence}</p>\n${form}`))
}
