/** Lists uses of deprecated authentication and the request to use instead. */
import type { DeprecatedUse } from '../../api/api-keys.ts'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { plural } from '../../lib/format-number.ts'
import { listHooksCurl } from '../../messages/curl-examples.ts'
import { deprecatedAuthText } from '../../messages/deprecated-auth.ts'
import { formatDate } from '../../lib/format-time.ts'
import styles from './deprecated-notice.module.css'

export function DeprecatedNotice({ uses }: { uses: readonly DeprecatedUse[] }) {
  return (
    <div className={styles.notice}>
      <Notice tone="warning" title="Deprecated authentication in use">
        <ul className={styles.uses}>
          {uses.map(({ kind, last_day: day, uses_30_days: count }) => (
            <li key={kind}>
              {deprecatedAuthText[kind].title} (<code>{deprecatedAuthText[kind].example}</code>):{' '}
              {plural(count, 'request')} in 30 days, last on {formatDate(new Date(day))}
            </li>
          ))}
        </ul>
        <p>Credentials in URLs end up in logs and browser histories. Send the key as a header instead:</p>
        <CodeBlock label="command" text={listHooksCurl('<your key>')} />
      </Notice>
    </div>
  )
}
