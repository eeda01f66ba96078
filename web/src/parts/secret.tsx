/** A secret that is shown now and not again: large, whole, easy to take away. */
import { Copy } from './copy.tsx'
import styles from './secret.module.css'

export function Secret({ text, what }: { text: string; what: string }) {
  return (
    <div className={styles.secret}>
      <code className={styles.text} dir="ltr">
        {text}
      </code>
      <Copy text={text} what={what} isLarge />
    </div>
  )
}
