/** What a key or an app may do, in words. */
import { useQuery } from '@tanstack/react-query'
import { areaQuery } from '../api/api.ts'

export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const known = useQuery(areaQuery).data?.scopes ?? []
  const wordsOf = (scope: string) => known.find((one) => one.scope === scope)?.words ?? scope
  return (
    <>
      {scopes.map((scope) => (
        <div key={scope}>{wordsOf(scope)}</div>
      ))}
    </>
  )
}
