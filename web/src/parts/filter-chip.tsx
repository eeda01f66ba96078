/** One thing by which a list is narrowed, as a chip that opens the browser's own choice and can be taken away. */
import { IconX } from '@tabler/icons-react'
import styles from './filter-chip.module.css'

interface FilterChipProps {
  title: string
  /** Empty: not narrowed by this. */
  value: string
  /** `short`: what the chip says once it is chosen, where the title is long. */
  choices: readonly { value: string; title: string; short?: string }[]
  choose: (value: string) => void
}

export function FilterChip({ title, value, choices, choose }: FilterChipProps) {
  const chosen = choices.find((choice) => choice.value === value)
  const isSet = value !== ''
  return (
    <span className={styles.chip} data-set={isSet}>
      <span className={styles.words} aria-hidden="true">
        {isSet ? `${title}: ${chosen?.short ?? chosen?.title ?? value}` : title}
      </span>
      <select
        className={styles.select}
        aria-label={title}
        value={value}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">Any</option>
        {isSet && chosen === undefined && <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.title}
          </option>
        ))}
      </select>
      {isSet && (
        <button
          className={styles.clear}
          type="button"
          aria-label={`Take away the filter ${title}`}
          onClick={() => choose('')}
        >
          <IconX size={13} aria-hidden="true" />
        </button>
      )}
    </span>
  )
}
