/** ID or URL in monospace. Truncated in the middle, complete on hover and when copied. */
import { Copy } from './copy.tsx'
import styles from './mono.module.css'

const tailLength = 8

interface MonoProps {
  text: string
  /** Content type for the copy button. Without it there is no button. */
  label?: string
}

export function Mono({ text, label }: MonoProps) {
  const cut = text.length > 2 * tailLength ? text.length - tailLength : text.length
  return (
    <span className={styles.mono}>
      <code className={styles.text} title={text} dir="ltr">
        <span className={styles.start}>{text.slice(0, cut)}</span>
        <span className={styles.end}>{text.slice(cut)}</span>
      </code>
      {label !== undefined && <Copy text={text} label={label} />}
    </span>
  )
}
