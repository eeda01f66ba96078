/** Programs that still send their credential in a way that will go away, and the exact call to change to. */
import type { DeprecatedUse } from '../../api/keys.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Notice } from '../../parts/notice.tsx'
import { counted } from '../../words/count.ts'
import { listHooksCurl } from '../../words/curl.ts'
import { deprecatedWords } from '../../words/deprecated.ts'
import { dateOf } from '../../words/time.ts'
import styles from './deprecated-notice.module.css'

export function DeprecatedNotice({ uses }: { uses: readonly DeprecatedUse[] }) {
  return (
    <div className={styles.notice}>
      <Notice tone="attention" title="A program of yours signs in the old way">
        <ul className={styles.uses}>
          {uses.map(({ kind, last_day: day, uses_30_days: count }) => (
            <li key={kind}>
              {counted(count, 'call')} in 30 days with {deprecatedWords[kind].title} (
              <code>{deprecatedWords[kind].old}</code>
              ), the last on {dateOf(new Date(day))}
            </li>
          ))}
        </ul>
        <p>It works for now, but addresses end up in logs and histories. Send the key as a header instead:</p>
        <CodeBlock what="command" text={listHooksCurl('<your key>')} />
      </Notice>
    </div>
  )
}
