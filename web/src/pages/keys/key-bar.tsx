/** Which keys are shown; the choice stands in the address. */
import { getRouteApi } from '@tanstack/react-router'
import { type Key, stateOf } from '../../api/keys.ts'
import { Choices } from '../../parts/choices.tsx'
import styles from '../../parts/choices.module.css'
import { FilterBox } from '../../parts/filter-box.tsx'
import { counted } from '../../words/count.ts'
import { without } from '../../words/without.ts'

const route = getRouteApi('/area/keys')

export function KeyBar({ keys }: { keys: readonly Key[] }) {
  const { q = '', show } = route.useSearch()
  const navigate = route.useNavigate()
  const active = keys.filter((key) => stateOf(key) === 'active').length
  return (
    <div className={styles.bar}>
      <Choices
        label="Which keys"
        choices={[
          {
            title: `${active} in use`,
            isChosen: show !== 'all',
            choose: () => void navigate({ search: (now) => without(now, 'show') }),
          },
          {
            title: `All ${counted(keys.length, 'key')}`,
            isChosen: show === 'all',
            choose: () => void navigate({ search: (now) => ({ ...now, show: 'all' }) }),
          },
        ]}
      />
      <FilterBox
        label="Filter keys"
        placeholder="Name or beginning"
        inAddress={q}
        write={(typed) =>
          void navigate({
            search: (now) => (typed === '' ? without(now, 'q') : { ...now, q: typed }),
            replace: true,
          })
        }
      />
    </div>
  )
}
