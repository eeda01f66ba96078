/** Endpoint URL, with one click to accept a corrected one. */
import { Button, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Preview } from '../../../api/types.ts'
import type { FormValues } from './form-values.ts'
import styles from './webhook-form.module.css'

interface UrlFieldProps {
  fields: UseFormReturnType<FormValues>
  problem: Preview['problems'][number] | undefined
}

export function UrlField({ fields, problem }: UrlFieldProps) {
  const { suggestion = null } = problem ?? {}
  return (
    <div className={styles.field}>
      <TextInput
        aria-label="Endpoint URL"
        placeholder="https://example.com/webhook"
        inputMode="url"
        size="md"
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: styles.mono ?? '' }}
        {...fields.getInputProps('targetUrl')}
        error={fields.errors.targetUrl ?? problem?.message}
      />
      {suggestion !== null && (
        <Button
          variant="default"
          size="xs"
          className={styles.suggestion ?? ''}
          onClick={() => fields.setFieldValue('targetUrl', suggestion)}
        >
          Use {suggestion}
        </Button>
      )}
    </div>
  )
}
