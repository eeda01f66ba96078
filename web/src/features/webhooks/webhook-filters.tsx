/** Filters and sort order of the webhook list. The URL holds both. */
import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { HookWithHealth } from '../../api/types.ts'
import { SegmentedControl } from '../../ui/form/segmented-control.tsx'
import choices from '../../ui/form/segmented-control.module.css'
import { FilterBox } from '../../ui/data/filter-box.tsx'
import { healthOrder, healthStateText } from '../../messages/states.ts'
import { omit } from '../../lib/omit.ts'
import { hookSorts, type HookSort } from './filter-webhooks.ts'
import styles from './webhooks.module.css'

const route = getRouteApi('/app/webhooks')

export function WebhookFilters({ hooks }: { hooks: readonly HookWithHealth[] }) {
  const { q = '', state, sort = 'attention' } = route.useSearch()
  const navigate = route.useNavigate()
  const count = (healthState: string) => hooks.filter(({ health }) => health.state === healthState).length
  return (
    <div className={choices.bar}>
      <SegmentedControl
        label="State"
        choices={[
          {
            title: `All ${hooks.length}`,
            isChosen: state === undefined,
            choose: () => void navigate({ search: (now) => omit(now, 'state') }),
          },
          ...healthOrder
            .filter((option) => count(option) > 0 || option === state)
            .map((option) => ({
              title: `${healthStateText[option].label} ${count(option)}`,
              isChosen: state === option,
              choose: () => void navigate({ search: (now) => ({ ...now, state: option }) }),
            })),
        ]}
      />
      <div className={styles.controls}>
        <FilterBox
          label="Filter webhooks"
          placeholder="Name, URL, event or ID"
          value={q}
          onChange={(typed) =>
            void navigate({
              search: (now) => (typed === '' ? omit(now, 'q') : { ...now, q: typed }),
              replace: true,
            })
          }
        />
        <NativeSelect
          aria-label="Sort by"
          value={sort}
          data={Object.entries(hookSorts).map(([value, label]) => ({ value, label }))}
          onChange={(event) => {
            const chosen = event.currentTarget.value as HookSort
            void navigate({
              search: (now) => (chosen === 'attention' ? omit(now, 'sort') : { ...now, sort: chosen }),
              replace: true,
            })
          }}
        />
      </div>
    </div>
  )
}
