/** Previews the exact request in the chosen format, and the API call that saves the same webhook. */
import { Skeleton } from '@mantine/core'
import type { Preview, RequestMethod } from '../../../api/types.ts'
import { SegmentedControl } from '../../../ui/form/segmented-control.tsx'
import { CodeBlock } from '../../../ui/data/code-block.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { requestMethods } from '../../../messages/request-methods.ts'
import { HttpMessage } from '../../deliveries/http-message.tsx'
import styles from './webhook-form.module.css'

interface RequestPreviewProps {
  preview: Preview | undefined
  method: RequestMethod
  choose: (method: RequestMethod) => void
  /** Whether the preview uses an example URL because the user has not entered one. */
  isExample: boolean
  isNew: boolean
}

export function RequestPreview(props: RequestPreviewProps) {
  const { preview, method, choose, isExample, isNew } = props
  const request = preview?.requests?.[method]
  return (
    <>
      <Panel
        title="Request preview"
        description={
          isExample
            ? 'Sample event with an example URL until you enter yours'
            : 'Sample event, byte for byte. Signatures use a placeholder secret.'
        }
        actions={
          <SegmentedControl
            label="Preview format"
            choices={requestMethods.map((option) => ({
              title: option,
              isChosen: option === method,
              choose: () => choose(option),
            }))}
          />
        }
      >
        <div className={styles.request}>
          <div role="status">
            {preview?.requests === null && <p className={styles.empty}>Fix the errors to see the preview.</p>}
            {request === null && (
              <p className={styles.empty}>
                Too large for GET: the URL would exceed 8 KiB. Choose JSON or POST.
              </p>
            )}
            {request !== undefined && request !== null && (
              // A new key per change makes screen readers announce each update.
              <p key={JSON.stringify(request)} className={styles.visuallyHidden}>
                Request updated.
              </p>
            )}
          </div>
          {preview === undefined && <Skeleton height={340} />}
          {request !== undefined && request !== null && (
            <HttpMessage
              title="Request"
              line={`${request.method} ${request.url}`}
              headers={request.headers}
              body={request.body}
              noBody="No body: GET requests carry the data in the URL."
            />
          )}
        </div>
      </Panel>
      <Panel
        title={isNew ? 'Create with the API' : 'Edit with the API'}
        description={isNew ? 'Creates the same webhook from a shell' : 'Makes the same change from a shell'}
      >
        {preview === undefined && <Skeleton height={96} />}
        {preview?.curl === null && <p className={styles.empty}>Fix the errors to see the command.</p>}
        {typeof preview?.curl === 'string' && <CodeBlock label="command" text={preview.curl} />}
      </Panel>
    </>
  )
}
