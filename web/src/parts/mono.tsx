/** An id or address: cut in the middle where there is no room, whole on hover and when copied. */
import { Copy } from './copy.tsx'
import styles from './mono.module.css'

const tailLength = 8

interface MonoProps {
  text: string
  /** What it is, for the copy button; without it there is none. */
  what?: string
}

export function Mono({ text, what }: MonoProps) {
  const cut = text.length > 2 * tailLength ? text.length - tailLength : text.length
  return (
    <span className={styles.mono}>
      <code className={styles.text} title={text} dir="ltr">
        <span className={styles.start}>{text.slice(0, cut)}</span>
        <span className={styles.end}>{text.slice(cut)}</span>
      </code>
      {what !== undefined && <Copy text={text} what={what} />}
    </span>
  )
}
