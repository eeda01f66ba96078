/** Input for one end of a time range. Applies complete values once the user stops typing. */
import { useDebouncedCallback } from '@mantine/hooks'
import { useTyped } from './use-typed.ts'
import styles from './events.module.css'

interface TimeBoundProps {
  label: string
  value: string | undefined
  /** Undefined removes the bound. */
  set: (value: string | undefined) => void
}

const debounceMs = 600
/** Rejects years that are still being typed. */
const earliest = '2000-01-01T00:00'

export function TimeBound({ label, value, set }: TimeBoundProps) {
  const [text, setText] = useTyped(value === undefined ? '' : localMinute(new Date(value)))
  const applySoon = useDebouncedCallback(({ validity, value: typed }: HTMLInputElement) => {
    if (validity.valid) set(typed === '' ? undefined : new Date(typed).toISOString())
  }, debounceMs)
  return (
    <label className={styles.bound}>
      {label}
      <input
        type="datetime-local"
        min={earliest}
        value={text}
        onChange={({ currentTarget: field }) => {
          setText(field.value)
          applySoon(field)
        }}
        onBlur={() => applySoon.flush()}
      />
    </label>
  )
}

/** Formats local time without a zone, as `datetime-local` requires. */
function localMinute(at: Date): string {
  const day = `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}`
}

function pad(part: number, digits = 2): string {
  return String(part).padStart(digits, '0')
}
