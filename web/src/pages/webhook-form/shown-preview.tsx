/** Exactly what would be sent, in the form that is chosen, and the call that registers the same webhook. */
import { Skeleton } from '@mantine/core'
import type { Preview, RequestMethod } from '../../api/shapes.ts'
import { Choices } from '../../parts/choices.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RawText } from '../../parts/raw-text.tsx'
import styles from './webhook-form.module.css'

interface ShownPreviewProps {
  preview: Preview | undefined
  method: RequestMethod
  choose: (method: RequestMethod) => void
  /** Whether it is shown with an address that is not the person's own. */
  isExample: boolean
}

const methods: readonly RequestMethod[] = ['JSON', 'POST', 'GET']

export function ShownPreview({ preview, method, choose, isExample }: ShownPreviewProps) {
  const request = preview?.requests?.[method]
  return (
    <>
      <Panel
        title="What your server gets"
        about={
          isExample
            ? 'For a sample event, with an example address until you give yours.'
            : 'For a sample event, byte for byte; only the signatures are made with a placeholder.'
        }
        actions={
          <Choices
            label="Form of the request"
            choices={methods.map((one) => ({
              title: one,
              isChosen: one === method,
              choose: () => choose(one),
            }))}
          />
        }
      >
        <div className={styles.request}>
          <div role="status">
            {preview?.requests === null && (
              <p className={styles.none}>Shown as soon as nothing is wrong with the values.</p>
            )}
            {request === null && (
              <p className={styles.none}>
                This cannot be sent as a query: the address would be longer than 8 KiB. Choose a form or JSON.
              </p>
            )}
            {request !== undefined && request !== null && (
              // With every change another, so that it is said each time.
              <p key={JSON.stringify(request)} className={styles.heard}>
                Request updated.
              </p>
            )}
          </div>
          {preview === undefined && <Skeleton height={340} />}
          {request !== undefined && request !== null && (
            <RawText
              title="Request"
              line={`${request.method} ${request.url}`}
              headers={request.headers}
              body={request.body}
              noBody="No body: a GET carries everything in its address."
            />
          )}
        </div>
      </Panel>
      <Panel title="The same by a call" about="Registers this webhook from a shell or a program.">
        {preview === undefined && <Skeleton height={96} />}
        {preview?.curl === null && (
          <p className={styles.none}>Shown as soon as nothing is wrong with the values.</p>
        )}
        {typeof preview?.curl === 'string' && <CodeBlock what="command" text={brokenLine(preview.curl)} />}
      </Panel>
    </>
  )
}

/** One option a line, as people write long commands; a quoted value is never broken. */
function brokenLine(curl: string): string {
  return curl.includes('\n') ? curl : curl.replaceAll(/ (?=(?:-H|--data-urlencode|-d) ')/g, ' \\\n  ')
}
