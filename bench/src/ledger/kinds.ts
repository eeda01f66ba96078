/** The measured kinds of search. Their values are sampled from the ledger, so that calls differ. */
import type { Client } from 'pg'

export interface Kind {
  name: string
  /** Paths, each called once. */
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
  // Samples more than needed, because not all events have a number or a foreign id.
  const sampled = await sampleEvents(client, accountId, count * 6)
  const samples = sampled.slice(0, count)
  const withNumbers = sampled.filter(({ sender }) => sender !== null).slice(0, count)
  const withForeignIds = sampled.filter(({ foreign_id }) => foreign_id?.startsWith('order')).slice(0, count)
  const hooks = [1, 2, 3, 4, 5].map((index) => String(accountId * 10 + index))
  const hook = ({ message_id }: Sample): string => hooks[Number(message_id) % hooks.length] ?? ''
  return [
    each('newest', samples, () => ({})),
    each('before a time', samples, ({ accepted_at }) => ({ to: twelveHoursAfter(accepted_at) })),
    each('message id', samples, ({ message_id }) => ({ message_id })),
    each('unknown message id', samples, ({ message_id }) => ({ message_id: `x${message_id}` })),
    each('sender', withNumbers, ({ sender }) => ({ number: sender })),
    each('last 7 digits', withNumbers, ({ sender }) => ({ number: sender?.slice(-7) ?? null })),
    each('inbound number', withNumbers, ({ recipient }) => ({ number: recipient })),
    each('foreign id', withForeignIds, ({ foreign_id }) => ({ foreign_id })),
    each('campaign', samples, ({ message_id }) => ({ foreign_id: `campaign-${Number(message_id) % 10}` })),
    each('q: message id', samples, ({ message_id }) => ({ q: message_id })),
    each('q: number', withNumbers, ({ sender }) => ({ q: sender })),
    each('q: last 7 digits', withNumbers, ({ sender }) => ({ q: sender?.slice(-7) ?? null })),
    each('q: event id', samples, ({ id }) => ({ q: id })),
    each('webhook', samples, (sample) => ({ hook_id: hook(sample) })),
    each('type, rare', samples, ({ accepted_at }) => ({ type: 'rcs', to: twelveHoursAfter(accepted_at) })),
    each('failed', samples, ({ accepted_at }) => ({ state: 'failed', to: twelveHoursAfter(accepted_at) })),
    each('failed, by webhook', samples, (sample) => ({
      state: 'failed',
      hook_id: hook(sample),
      to: twelveHoursAfter(sample.accepted_at),
    })),
    each('failed, by number', withNumbers, ({ recipient }) => ({ state: 'failed', number: recipient })),
    each('pending', samples, () => ({ state: 'waiting' })),
    each('held', samples, () => ({ state: 'held' })),
    each('status 404, rare', samples, ({ accepted_at }) => ({
      status: '404',
      to: twelveHoursAfter(accepted_at),
    })),
    each('reason tls, rare', samples, ({ accepted_at }) => ({
      reason: 'tls',
      to: twelveHoursAfter(accepted_at),
    })),
    { name: 'event with deliveries', paths: samples.map(({ id }) => `/api/events/${id}`) },
    { name: 'overview, 24 hours', paths: samples.map(() => '/api/overview?range=24h') },
    { name: 'overview, 30 days', paths: samples.map(() => '/api/overview?range=30d') },
  ]
}

function each(
  name: string,
  samples: readonly Sample[],
  query: (sample: Sample) => Record<string, string | null>,
): Kind {
  return { name, paths: samples.map((sample) => search(query(sample))) }
}

function search(query: Record<string, string | null>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) params.set(name, value ?? '')
  return `/api/events?${params.toString()}`
}

function twelveHoursAfter(at: Date): string {
  return new Date(at.getTime() + 12 * 60 * 60 * 1_000).toISOString()
}

/** Samples events evenly over all days. */
async function sampleEvents(client: Client, accountId: number, count: number): Promise<Sample[]> {
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
