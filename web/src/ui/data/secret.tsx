/** Complete secret with a large copy button. */
import { Copy } from './copy.tsx'
import styles from './secret.module.css'

export function Secret({ text, label }: { text: string; label: string }) {
  return (
    <div className={styles.secret}>
      <code className={styles.text} dir="ltr">
        {text}
      </code>
      <Copy text={text} label={label} isLarge />
    </div>
  )
}
