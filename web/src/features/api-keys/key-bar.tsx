/** Filters the list of keys. The filter is stored in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { type Key, stateOf } from '../../api/api-keys.ts'
import { SegmentedControl } from '../../ui/form/segmented-control.tsx'
import styles from '../../ui/form/segmented-control.module.css'
import { FilterBox } from '../../ui/data/filter-box.tsx'
import { plural } from '../../lib/format-number.ts'
import { omit } from '../../lib/omit.ts'

const route = getRouteApi('/app/keys')

export function KeyBar({ keys }: { keys: readonly Key[] }) {
  const { q = '', show } = route.useSearch()
  const navigate = route.useNavigate()
  const active = keys.filter((key) => stateOf(key) === 'active').length
  return (
    <div className={styles.bar}>
      <SegmentedControl
        label="Show keys"
        choices={[
          {
            title: `${active} active`,
            isChosen: show !== 'all',
            choose: () => void navigate({ search: (now) => omit(now, 'show') }),
          },
          {
            title: `All ${plural(keys.length, 'key')}`,
            isChosen: show === 'all',
            choose: () => void navigate({ search: (now) => ({ ...now, show: 'all' }) }),
          },
        ]}
      />
      <FilterBox
        label="Filter keys"
        placeholder="Name or prefix"
        value={q}
        onChange={(typed) =>
          void navigate({
            search: (now) => (typed === '' ? omit(now, 'q') : { ...now, q: typed }),
            replace: true,
          })
        }
      />
    </div>
  )
}
