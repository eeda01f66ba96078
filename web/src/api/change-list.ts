/** A change that is shown at once: the list as it will be, and as it was again when the service says no. */
import type { QueryKey } from '@tanstack/react-query'
import { queryClient } from './api.ts'

export function changeList<Row, Values>(queryKey: QueryKey, change: (rows: Row[], values: Values) => Row[]) {
  return {
    async onMutate(values: Values): Promise<{ before: Row[] | undefined }> {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<Row[]>(queryKey)
      if (before !== undefined) queryClient.setQueryData(queryKey, change(before, values))
      return { before }
    },
    onError(_error: Error, _values: Values, context: { before: Row[] | undefined } | undefined): void {
      if (context?.before !== undefined) queryClient.setQueryData(queryKey, context.before)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  }
}
