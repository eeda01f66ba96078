/** Who began something, from `login:1`, `key:12`, `app:…` or a plain word. */
export function actorWords(actor: string, ownLoginId: number): string {
  if (actor === `login:${ownLoginId}`) return 'you'
  if (actor === 'service') return 'Hookline'
  const [kind = '', id] = actor.split(':')
  if (id === undefined) return actor
  return kind === 'login' ? `another login (${id})` : `the ${kind} ${id}`
}
