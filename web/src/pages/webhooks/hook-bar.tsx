/** Which webhooks are shown and in which order; both stand in the address. */
import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { HookWithHealth } from '../../api/shapes.ts'
import { Choices } from '../../parts/choices.tsx'
import choices from '../../parts/choices.module.css'
import { FilterBox } from '../../parts/filter-box.tsx'
import { healthOrder, healthWords } from '../../words/states.ts'
import { without } from '../../words/without.ts'
import { hookSorts, type HookSort } from './shown-hooks.ts'
import styles from './webhooks.module.css'

const route = getRouteApi('/area/webhooks')

export function HookBar({ hooks }: { hooks: readonly HookWithHealth[] }) {
  const { q = '', state, sort = 'attention' } = route.useSearch()
  const navigate = route.useNavigate()
  const count = (wanted: string) => hooks.filter(({ health }) => health.state === wanted).length
  return (
    <div className={choices.bar}>
      <Choices
        label="State"
        choices={[
          {
            title: `All ${hooks.length}`,
            isChosen: state === undefined,
            choose: () => void navigate({ search: (now) => without(now, 'state') }),
          },
          ...healthOrder
            .filter((one) => count(one) > 0 || one === state)
            .map((one) => ({
              title: `${healthWords[one].word} ${count(one)}`,
              isChosen: state === one,
              choose: () => void navigate({ search: (now) => ({ ...now, state: one }) }),
            })),
        ]}
      />
      <div className={styles.narrow}>
        <FilterBox
          label="Filter webhooks"
          placeholder="Address, event or id"
          inAddress={q}
          write={(typed) =>
            void navigate({
              search: (now) => (typed === '' ? without(now, 'q') : { ...now, q: typed }),
              replace: true,
            })
          }
        />
        <NativeSelect
          aria-label="Sort by"
          value={sort}
          data={Object.entries(hookSorts).map(([value, words]) => ({ value, label: `By ${words}` }))}
          onChange={(event) => {
            const chosen = event.currentTarget.value as HookSort
            void navigate({
              search: (now) => (chosen === 'attention' ? without(now, 'sort') : { ...now, sort: chosen }),
              replace: true,
            })
          }}
        />
      </div>
    </div>
  )
}
