/** Filter chip with a native select and a remove button. */
import { IconX } from '@tabler/icons-react'
import styles from './filter-chip.module.css'

interface FilterChipProps {
  title: string
  /** Empty: no filter. */
  value: string
  choices: readonly { value: string; title: string }[]
  choose: (value: string) => void
}

export function FilterChip({ title, value, choices, choose }: FilterChipProps) {
  const chosen = choices.find((choice) => choice.value === value)
  const isSet = value !== ''
  return (
    <span className={styles.chip} data-set={isSet}>
      <span className={styles.text} aria-hidden="true">
        {isSet ? `${title}: ${chosen?.title ?? value}` : title}
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
          aria-label={`Remove filter ${title}`}
          onClick={() => choose('')}
        >
          <IconX size={13} aria-hidden="true" />
        </button>
      )}
    </span>
  )
}
