/** Formats the actor of a replay: `login:1`, `key:12`, `app:…` or a plain name. */
export function formatActor(actor: string, currentLoginId: number): string {
  if (actor === `login:${currentLoginId}`) return 'you'
  if (actor === 'service') return 'Hookline'
  const [kind = '', id] = actor.split(':')
  if (id === undefined) return actor
  return kind === 'login' ? `user ${id}` : `${kind} ${id}`
}
