import { expect, test } from 'vitest'
import type { SentNotice } from './group-notices.ts'
import { contentOf } from './message-content.ts'
import { chatLimits, renderJson, renderSlack, renderTeams } from './render-chat.ts'

const context = { account: { id: 1, name: 'Example' }, baseUrl: new URL('https://hooks.example.com') }
const at = new Date('2026-11-15T12:00:00Z')

/** As many as a message shows, at hosts with long names. */
function noticesNamed(name: string): SentNotice[] {
  return Array.from({ length: 40 }, (_, index) => ({
    id: index,
    hookId: index + 1,
    kind: 'failing_1h',
    streak: at,
    createdAt: at,
    detail: { reason: 'status', status: 400 },
    name,
    callUrl: `https://${index % 8}.${'long.'.repeat(40)}example/`,
    actorName: null,
    subjectName: null,
  }))
}

const content = (notices: SentNotice[]) => contentOf(notices, context.baseUrl, chatLimits)

/** Names that are long in UTF-8, in JSON, and escaped. */
const longNames = ['😀', '*', '<', '字']

/** Webhooks that the message shows, and those that it counts. */
function countWebhooks(message: string): number {
  const hidden = [...message.matchAll(/And (\d+) more\./g)].map(([, more]) => Number(more))
  return hidden.reduce((sum, more) => sum + more, message.match(/Webhook \d+ “/g)?.length ?? 0)
}

test.each(longNames)('a message to Teams has at most 28 KB, with names of many %s', (character) => {
  const card = JSON.stringify(renderTeams(content(noticesNamed(character.repeat(200))), context))
  expect(Buffer.byteLength(card)).toBeLessThanOrEqual(28_000)
  expect(countWebhooks(card)).toBe(40)
})

test.each(longNames)('a text to Slack is cut between webhooks, with names of many %s', (character) => {
  const { blocks } = renderSlack(content(noticesNamed(character.repeat(200))), context) as {
    blocks: Array<{ text?: { text: string } }>
  }
  const sections = blocks.flatMap(({ text }) => (text?.text.startsWith('*') === true ? text.text : []))
  expect(sections).toHaveLength(8)
  for (const section of sections) {
    expect(section.length).toBeLessThanOrEqual(3_000)
    expect(countWebhooks(section)).toBe(5)
  }
})

test('the header to Slack contains no half of a character', () => {
  const [notice] = noticesNamed('')
  if (notice === undefined) throw new Error('no notice')
  const created = { action: 'key.create', actor: 'operator' } as const
  for (const subjectName of ['😀'.repeat(100), `a${'😀'.repeat(99)}`]) {
    const about = { ...notice, hookId: null, callUrl: null, kind: 'account_changed', subjectName } as const
    const { blocks } = renderSlack(content([{ ...about, detail: created }]), context) as {
      blocks: Array<{ text: { text: string } }>
    }
    expect(blocks[0]?.text.text).toMatch(/^Security alert: the API key “/)
    expect(blocks[0]?.text.text.isWellFormed()).toBe(true)
  }
})

test('names stay names in the simple text for Mattermost, Rocket.Chat and Google Chat', () => {
  const notices = noticesNamed('@all <users/all> [Sign in](https://evil.example)').slice(0, 1)
  const { text } = renderJson(content(notices), notices, context) as { text: string }
  expect(text).toContain('Sign in')
  expect(text).not.toMatch(/@all|<users|\]\(|https:\/\/evil/)
  expect(text).toMatch(/\nhttps:\/\/hooks\.example\.com\/webhooks\/1$/)
})

test('Slack turns no text of a name into a link', () => {
  const { blocks } = renderSlack(content(noticesNamed('https://evil.example')), context) as {
    blocks: Array<{ text?: object; elements?: object[] }>
  }
  const texts = blocks.flatMap(({ text = {}, elements = [] }) => [text, ...elements])
  const formatted = texts.filter((text) => 'type' in text && text.type === 'mrkdwn')
  expect(formatted).toHaveLength(10)
  for (const text of formatted) expect(text).toMatchObject({ verbatim: true })
})
