/** Code with a copy button. */
import { Copy } from './copy.tsx'
import styles from './code-block.module.css'

interface CodeBlockProps {
  text: string
  /** Content type, such as "command". */
  label: string
}

export function CodeBlock({ text, label }: CodeBlockProps) {
  return (
    <div className={styles.block}>
      <pre className={styles.text} tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <div className={styles.copy}>
        <Copy text={text} label={label} />
      </div>
    </div>
  )
}
