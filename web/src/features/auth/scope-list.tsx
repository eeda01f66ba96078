/** Lists scopes by their description. */
import { useQuery } from '@tanstack/react-query'
import { configQuery } from '../../api/client.ts'

export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const catalog = useQuery(configQuery).data?.scopes ?? []
  const describeScope = (scope: string) =>
    catalog.find((entry) => entry.scope === scope)?.description ?? scope
  return (
    <>
      {scopes.map((scope) => (
        <div key={scope}>{describeScope(scope)}</div>
      ))}
    </>
  )
}
