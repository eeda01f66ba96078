/** Formats actors of the audit log, of versions and of replays. */

const fixedActors: Record<string, string> = {
  operator: 'The operator',
  service: 'Hookline',
  visitor: 'An anonymous visitor',
}

const actorKinds: Record<string, string> = { key: 'API key', app: 'App' }

/** Formats an actor at the start of a sentence. `name`: name of the login, key or app; null once it is deleted. */
export function formatActorName(actor: string, name: string | null): string {
  const fixed = fixedActors[actor]
  if (fixed !== undefined) return fixed
  const [kind = '', id = ''] = actor.split(':')
  if (kind === 'login') return name ?? `User ${id}`
  return `${actorKinds[kind] ?? kind} ${name === null ? id : `“${name}”`}`.trim()
}

/** Formats the actor of a replay: `login:1`, `key:12`, `app:…` or a plain name. */
export function formatActor(actor: string, currentLoginId: number): string {
  if (actor === `login:${currentLoginId}`) return 'you'
  if (actor === 'service') return 'Hookline'
  const [kind = '', id] = actor.split(':')
  if (id === undefined) return actor
  return kind === 'login' ? `user ${id}` : `${kind} ${id}`
}
