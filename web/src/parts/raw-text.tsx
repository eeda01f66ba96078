/** What went over the wire: a first line, headers, a body; as text and never as anything else. */
import type { ReactNode } from 'react'
import type { Header } from '../api/shapes.ts'
import { indentJson } from '../words/indent-json.ts'
import { Copy } from './copy.tsx'
import styles from './raw-text.module.css'

interface RawTextProps {
  /** "Request" or "Answer". */
  title: string
  /** The first line, such as `POST https://…`. */
  line: ReactNode
  headers: readonly Header[]
  /** Null: there is none, and `noBody` says why. */
  body: string | null
  noBody?: string | undefined
  /** Said under the body. */
  note?: string | undefined
}

export function RawText({ title, line, headers, body, noBody, note }: RawTextProps) {
  return (
    <div className={styles.raw} role="group" aria-label={title}>
      <div className={styles.head}>
        <p className={styles.title}>{title}</p>
        {body !== null && body !== '' && <Copy text={body} what="body" />}
      </div>
      <div className={styles.scroll} tabIndex={0} role="group" aria-label={`${title}, text`}>
        <p className={styles.line} dir="ltr">
          {line}
        </p>
        {headers.length > 0 && (
          <dl className={styles.headers} dir="ltr">
            {headers.map(({ name, value }) => (
              <div key={`${name}: ${value}`}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {body === null || body === '' ? (
          <p className={styles.none}>{noBody ?? 'No body.'}</p>
        ) : (
          <pre className={styles.body}>
            <code>{indentJson(body)}</code>
          </pre>
        )}
      </div>
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </div>
  )
}
