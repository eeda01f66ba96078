/** One end of a range of time. It is asked for when it is whole and nothing more is typed: half a year is not meant. */
import { useDebouncedCallback } from '@mantine/hooks'
import { useTyped } from './use-typed.ts'
import styles from './events.module.css'

interface TimeBoundProps {
  label: string
  value: string | undefined
  /** Undefined: no bound. */
  set: (value: string | undefined) => void
}

const pauseMs = 600
/** Before that nobody has sent anything here: the year is being typed. */
const earliest = '2000-01-01T00:00'

export function TimeBound({ label, value, set }: TimeBoundProps) {
  const [text, setText] = useTyped(value === undefined ? '' : localMinute(new Date(value)))
  const askSoon = useDebouncedCallback(({ validity, value: typed }: HTMLInputElement) => {
    if (validity.valid) set(typed === '' ? undefined : new Date(typed).toISOString())
  }, pauseMs)
  return (
    <label className={styles.bound}>
      {label}
      <input
        type="datetime-local"
        min={earliest}
        value={text}
        onChange={({ currentTarget: field }) => {
          setText(field.value)
          askSoon(field)
        }}
        onBlur={() => askSoon.flush()}
      />
    </label>
  )
}

/** As the field wants it: local time without a zone. */
function localMinute(at: Date): string {
  const day = `${padded(at.getFullYear(), 4)}-${padded(at.getMonth() + 1)}-${padded(at.getDate())}`
  return `${day}T${padded(at.getHours())}:${padded(at.getMinutes())}`
}

function padded(part: number, digits = 2): string {
  return String(part).padStart(digits, '0')
}
