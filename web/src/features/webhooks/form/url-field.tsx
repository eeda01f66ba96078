/** Endpoint URL, with one click to accept a corrected one or to use the built-in test receiver. */
import { Anchor, Button, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { testReceiverUrlQuery } from '../../../api/onboarding.ts'
import type { Preview } from '../../../api/types.ts'
import { TextLink } from '../../../ui/layout/links.tsx'
import type { FormValues } from './form-values.ts'
import styles from './webhook-form.module.css'

interface UrlFieldProps {
  fields: UseFormReturnType<FormValues>
  problem: Preview['problems'][number] | undefined
}

export function UrlField({ fields, problem }: UrlFieldProps) {
  const { suggestion = null } = problem ?? {}
  const { targetUrl } = fields.values
  const receiverUrl = useQuery(testReceiverUrlQuery).data
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
      {receiverUrl !== undefined && targetUrl === '' && (
        <p className={styles.muted}>
          No server yet?{' '}
          <Anchor
            component="button"
            type="button"
            inherit
            onClick={() => fields.setFieldValue('targetUrl', receiverUrl)}
          >
            Use built-in test receiver
          </Anchor>
        </p>
      )}
      {receiverUrl !== undefined && targetUrl === receiverUrl && (
        <p className={styles.muted}>
          Requests are shown in the <TextLink to="/webhooks/test-receiver">test receiver</TextLink> for 24
          hours.
        </p>
      )}
    </div>
  )
}
