/**
 * ID or URL in monospace. Truncated in the middle, complete on hover, when selected and when copied. The parts are
 * inline, because a selection by triple click ends at a block.
 */
import { Copy } from './copy.tsx'
import styles from './mono.module.css'

const tailLength = 8

interface MonoProps {
  text: string
  /** Content type for the copy button. Without it there is no button. */
  label?: string
}

export function Mono({ text, label }: MonoProps) {
  const cut = canCut(text) ? text.length - tailLength : text.length
  return (
    <span className={styles.mono}>
      <code className={styles.text} title={text} dir="ltr" data-cut={cut < text.length}>
        <span className={styles.start}>{text.slice(0, cut)}</span>
        {cut < text.length && <span>{text.slice(cut)}</span>}
      </code>
      {label !== undefined && <Copy text={text} label={label} />}
    </span>
  )
}

/** The style sheet reserves space for the tail by its number of characters, which ASCII characters fill exactly. */
function canCut(text: string): boolean {
  return text.length > 2 * tailLength && /^[ -~]*$/.test(text)
}
