/** Lines to be pasted somewhere else. */
import { Copy } from './copy.tsx'
import styles from './code-block.module.css'

interface CodeBlockProps {
  text: string
  /** What it is, such as "command". */
  what: string
}

export function CodeBlock({ text, what }: CodeBlockProps) {
  return (
    <div className={styles.block}>
      <pre className={styles.text} tabIndex={0} aria-label={what}>
        <code>{text}</code>
      </pre>
      <div className={styles.copy}>
        <Copy text={text} what={what} />
      </div>
    </div>
  )
}
