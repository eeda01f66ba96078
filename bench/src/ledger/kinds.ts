/** The ways to search that are measured, each with values drawn from the ledger itself, so that no two calls ask the same. */
import type { Client } from 'pg'

export interface Kind {
  name: string
  /** Paths to call, each once. */
  paths: string[]
}

interface Sample {
  id: string
  message_id: string
  sender: string | null
  recipient: string | null
  foreign_id: string | null
  accepted_at: Date
}

export async function kindsOf(client: Client, accountId: number, count: number): Promise<Kind[]> {
  // Enough that of those with a number or a foreign id there are as many as are wanted.
  const drawn = await drawEvents(client, accountId, count * 6)
  const samples = drawn.slice(0, count)
  const withNumbers = drawn.filter(({ sender }) => sender !== null).slice(0, count)
  const withForeignIds = drawn.filter(({ foreign_id }) => foreign_id?.startsWith('order')).slice(0, count)
  const hooks = [1, 2, 3, 4, 5].map((place) => String(accountId * 10 + place))
  const hook = ({ message_id }: Sample): string => hooks[Number(message_id) % hooks.length] ?? ''
  return [
    each('newest', samples, () => ({})),
    each('up to a time', samples, ({ accepted_at }) => ({ to: halfADayAfter(accepted_at) })),
    each('message id', samples, ({ message_id }) => ({ message_id })),
    each('message id that nobody has', samples, ({ message_id }) => ({ message_id: `x${message_id}` })),
    each('sender', withNumbers, ({ sender }) => ({ number: sender })),
    each('inbound number', withNumbers, ({ recipient }) => ({ number: recipient })),
    each('foreign id', withForeignIds, ({ foreign_id }) => ({ foreign_id })),
    each('campaign', samples, ({ message_id }) => ({ foreign_id: `campaign-${Number(message_id) % 10}` })),
    each('one box: message', samples, ({ message_id }) => ({ q: message_id })),
    each('one box: number', withNumbers, ({ sender }) => ({ q: sender })),
    each('one box: event id', samples, ({ id }) => ({ q: id })),
    each('webhook', samples, (one) => ({ hook_id: hook(one) })),
    each('type, rare', samples, ({ accepted_at }) => ({ type: 'rcs', to: halfADayAfter(accepted_at) })),
    each('failed', samples, ({ accepted_at }) => ({ state: 'failed', to: halfADayAfter(accepted_at) })),
    each('failed, of a webhook', samples, (one) => ({
      state: 'failed',
      hook_id: hook(one),
      to: halfADayAfter(one.accepted_at),
    })),
    each('failed, of a number', withNumbers, ({ recipient }) => ({ state: 'failed', number: recipient })),
    each('waiting', samples, () => ({ state: 'waiting' })),
    each('held', samples, () => ({ state: 'held' })),
    each('status 404, rare', samples, ({ accepted_at }) => ({
      status: '404',
      to: halfADayAfter(accepted_at),
    })),
    each('reason tls, rare', samples, ({ accepted_at }) => ({
      reason: 'tls',
      to: halfADayAfter(accepted_at),
    })),
    { name: 'what became of an event', paths: samples.map(({ id }) => `/api/events/${id}`) },
    { name: 'overview, 24 hours', paths: samples.map(() => '/api/overview?range=24h') },
    { name: 'overview, 30 days', paths: samples.map(() => '/api/overview?range=30d') },
  ]
}

function each(
  name: string,
  of: readonly Sample[],
  query: (one: Sample) => Record<string, string | null>,
): Kind {
  return { name, paths: of.map((one) => search(query(one))) }
}

function search(query: Record<string, string | null>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) params.set(name, value ?? '')
  return `/api/events?${params.toString()}`
}

function halfADayAfter(at: Date): string {
  return new Date(at.getTime() + 12 * 60 * 60 * 1_000).toISOString()
}

/** From all days alike. */
async function drawEvents(client: Client, accountId: number, count: number): Promise<Sample[]> {
  const samples: Sample[] = []
  while (samples.length < count) {
    const { rows } = await client.query<Sample>(
      `SELECT id, message_id, sender, recipient, foreign_id, accepted_at FROM events
       WHERE account_id = $1 AND id < uuid_v7_floor(now() - $2::float8 * interval '29 days') ORDER BY id DESC LIMIT 1`,
      [accountId, Math.random()],
    )
    samples.push(...rows)
  }
  return samples
}
