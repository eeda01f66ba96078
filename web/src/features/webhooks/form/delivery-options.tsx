/** The trace header, and options for receivers of the original service. Collapsed unless one is set. */
import { Checkbox, NativeSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import form from '../../../ui/form/form.module.css'
import { formFieldsText, retryPolicyText, signatureUrlText } from '../../../messages/delivery-options.ts'
import { type FormValues, hasOptions } from './form-values.ts'
import styles from './webhook-form.module.css'

interface DeliveryOptionsProps {
  fields: UseFormReturnType<FormValues>
  initial: FormValues
}

export function DeliveryOptions({ fields, initial }: DeliveryOptionsProps) {
  return (
    <Disclosure summary="Delivery options" isInitiallyOpen={hasOptions(initial)}>
      <div className={form.wide}>
        <Checkbox
          label="Send traceparent header"
          description="Continues the trace of each event in your tracing system (W3C Trace Context)"
          {...fields.getInputProps('traceHeader', { type: 'checkbox' })}
        />
        <p className={styles.muted}>
          The other options are for servers that already receive webhooks of the original service. Keep the
          defaults for new ones.
        </p>
        <NativeSelect
          label="Form fields"
          description="Names of the fields of form data (POST)"
          className={styles.short ?? ''}
          data={choicesOf(formFieldsText)}
          {...fields.getInputProps('formFields')}
        />
        <NativeSelect
          label="Retry policy"
          description="Original service: 3xx is a success, only 429, 500, 502, 503, 504 and connection errors are retried, 14 attempts over 3.5 days, 5 s timeout"
          data={choicesOf(retryPolicyText)}
          classNames={{ wrapper: styles.short ?? '' }}
          {...fields.getInputProps('retryPolicy')}
        />
        <NativeSelect
          label="Signed URL"
          description="URL in the X-Signature of a query string (GET)"
          className={styles.short ?? ''}
          data={choicesOf(signatureUrlText)}
          {...fields.getInputProps('signatureUrl')}
        />
        <Checkbox
          label="Send Accept header"
          description="Accept: */*, unless a custom header sets another value"
          {...fields.getInputProps('acceptHeader', { type: 'checkbox' })}
        />
      </div>
    </Disclosure>
  )
}

function choicesOf(texts: Record<string, string>): Array<{ value: string; label: string }> {
  return Object.entries(texts).map(([value, label]) => ({ value, label }))
}
