/** Shows an HTTP message as plain text: first line, headers and body. Never renders the body as markup. */
import type { ReactNode } from 'react'
import type { Header } from '../../api/types.ts'
import { indentJson } from '../../lib/indent-json.ts'
import { Copy } from '../../ui/data/copy.tsx'
import styles from './http-message.module.css'

interface HttpMessageProps {
  /** "Request" or "Response". */
  title: string
  /** The first line, such as `POST https://…`. */
  line: ReactNode
  headers: readonly Header[]
  /** Null or empty shows `noBody` instead. */
  body: string | null
  noBody?: string | undefined
  /** Shown below the body. */
  note?: string | undefined
}

export function HttpMessage({ title, line, headers, body, noBody, note }: HttpMessageProps) {
  return (
    <div className={styles.message} role="group" aria-label={title}>
      <div className={styles.head}>
        <p className={styles.title}>{title}</p>
        {body !== null && body !== '' && <Copy text={body} label="body" />}
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
          <p className={styles.empty}>{noBody ?? 'No body'}</p>
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
