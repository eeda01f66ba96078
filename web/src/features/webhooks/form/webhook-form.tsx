/** Webhook form with a live preview of the request and a backtest of the filter. */
import { Button, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { Preview } from '../../../api/types.ts'
import { previewQuery } from '../../../api/webhooks.ts'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import form from '../../../ui/form/form.module.css'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { useFieldError } from '../../../ui/form/use-field-error.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { eventTypeText, severalTypes } from '../../../messages/event-types.ts'
import { describeWarning } from '../../../messages/webhook-warnings.ts'
import { DeliveryOptions } from './delivery-options.tsx'
import { fieldOf, filterOf, findNonNumber, type FormValues, isLimitValid, toApiInput } from './form-values.ts'
import { FilterBacktest } from './filter-backtest.tsx'
import { RequestPreview } from './request-preview.tsx'
import { RuleBuilder } from './rule-builder.tsx'
import styles from './webhook-form.module.css'

interface WebhookFormProps {
  initial: FormValues
  /** Undefined for a new webhook. */
  hookId?: number
  action: string
  isBusy: boolean
  error: Error | null
  save: (values: FormValues, thenTest: boolean) => void
  cancel: ReactNode
}

const debounceMs = 350
const maxNameLength = 200
const maxDescriptionLength = 1_000
const exampleUrl = 'https://example.com/webhook'

export function WebhookForm(props: WebhookFormProps) {
  const { initial, hookId, action, isBusy, error, save, cancel } = props
  const fields = useForm<FormValues>({
    initialValues: initial,
    validate: {
      eventTypes: (value, { eventType }) =>
        eventType === severalTypes && value.length === 0 ? 'Choose at least one event type.' : null,
      targetUrl: (value) => (value.trim() === '' ? 'Enter an endpoint URL.' : null),
      filter: (_value, values) => validateFilter(values, initial),
      maxPerSecond: (_, values) =>
        isLimitValid(values) ? null : 'Enter a whole number from 1 to 10,000, or leave empty for no limit.',
    },
  })
  const otherError = useFieldError(error, fieldOf, fields.setFieldError)
  const formRef = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) focusFirstInvalid(formRef.current)
  }, [error])
  const { preview, isStale } = usePreview(fields.values, hookId)
  const problemOf = (field: keyof FormValues) =>
    isStale || fields.values[field] === ''
      ? undefined
      : preview?.problems.find((problem) => fieldOf[problem.field] === field)
  const headersError = fields.errors.headers ?? problemOf('headers')?.message
  return (
    <div className={styles.columns}>
      <form
        className={styles.column}
        ref={formRef}
        noValidate
        onSubmit={fields.onSubmit(
          (values, event) => save(values, isTestSubmit(event)),
          (_errors, _values, event) => focusFirstInvalid(event?.target),
        )}
      >
        <Panel>
          <div className={form.wide}>
            <TextInput
              label="Name"
              description="Optional. Shown instead of the endpoint."
              placeholder="Orders to CRM"
              maxLength={maxNameLength}
              autoComplete="off"
              {...fields.getInputProps('name')}
            />
            <RuleBuilder fields={fields} problemOf={problemOf} />
            {!isStale &&
              preview?.warnings.map((warning) => (
                <Notice
                  key={JSON.stringify(warning)}
                  tone="warning"
                  role="status"
                  title={describeWarning(warning, fields.values.eventType, filterOf(fields.values))}
                />
              ))}
            <Disclosure
              summary="Description, headers and rate limit"
              isInitiallyOpen={hasAdvancedValues(initial)}
              isForcedOpen={
                headersError !== undefined ||
                fields.errors.maxPerSecond !== undefined ||
                fields.errors.description !== undefined
              }
            >
              <div className={form.wide}>
                <Textarea
                  label="Description"
                  autosize
                  minRows={2}
                  maxRows={8}
                  maxLength={maxDescriptionLength}
                  {...fields.getInputProps('description')}
                />
                <Textarea
                  label="Headers"
                  description="One per line, sent with every request. Encrypted at rest and masked elsewhere."
                  placeholder="Authorization: Bearer …"
                  autosize
                  minRows={2}
                  spellCheck={false}
                  classNames={{ input: styles.mono ?? '' }}
                  {...fields.getInputProps('headers')}
                  error={headersError}
                />
                <TextInput
                  label="Rate limit (per second)"
                  description="Leave empty for no limit"
                  inputMode="numeric"
                  className={styles.short ?? ''}
                  {...fields.getInputProps('maxPerSecond')}
                />
              </div>
            </Disclosure>
            <DeliveryOptions fields={fields} initial={initial} />
            <ErrorNotice error={otherError} />
            <div className={form.actions}>
              <Button type="submit" loading={isBusy}>
                {action}
              </Button>
              <Button type="submit" variant="default" value="test" disabled={isBusy}>
                {action} and test
              </Button>
              {cancel}
            </div>
          </div>
        </Panel>
        <FilterBacktest
          values={fields.values}
          hookId={hookId}
          isValidated={!isStale}
          isInvalid={preview?.problems.some(({ field }) => field === 'event_filter') === true}
        />
      </form>
      <div className={styles.column}>
        <RequestPreview
          preview={preview}
          method={fields.values.method}
          choose={(method) => fields.setFieldValue('method', method)}
          isExample={fields.values.targetUrl.trim() === ''}
          isNew={hookId === undefined}
        />
      </div>
    </div>
  )
}

/** Shows the first error, after it is rendered. In the middle, because the page header covers the top. */
function focusFirstInvalid(element: EventTarget | null | undefined): void {
  if (!(element instanceof HTMLFormElement)) return
  requestAnimationFrame(() => {
    const field = element.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid-group] input')
    field?.focus({ preventScroll: true })
    field?.scrollIntoView({ block: 'center' })
  })
}

/** A saved filter is accepted as it is: other changes must stay possible. */
function validateFilter(values: FormValues, initial: FormValues): string | null {
  const { filterKind, filter, eventType } = values
  if (filterKind === 'any') return null
  if (filter.trim() === '') return 'Enter at least one value, or choose another filter above.'
  const isNumber = filterKind === 'values' && eventTypeText(eventType).filterField === 'number'
  const wrong = isNumber && filter !== initial.filter ? findNonNumber(filter) : undefined
  return wrong === undefined
    ? null
    : `“${shorten(wrong)}” is not a number. Enter numbers, separated by commas.`
}

const maxVisible = 40

function shorten(text: string): string {
  return text.length > maxVisible ? `${text.slice(0, maxVisible)}…` : text
}

/** Returns whether the user pressed the “and test” button. */
function isTestSubmit(event: FormEvent<HTMLFormElement> | undefined): boolean {
  const submitter = event?.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null
  return submitter instanceof HTMLButtonElement && submitter.value === 'test'
}

function hasAdvancedValues({ description, headers, maxPerSecond }: FormValues): boolean {
  return description !== '' || headers !== '' || maxPerSecond !== ''
}

/** Fetches the preview of the values once the user stops typing. */
function usePreview(values: FormValues, hookId: number | undefined) {
  const input = toApiInput(values)
  const requested = JSON.stringify({
    ...input,
    max_per_second: isLimitValid(values) ? input.max_per_second : null,
    target_url: input.target_url || exampleUrl,
  })
  const [debounced] = useDebouncedValue(requested, debounceMs)
  const query = useQuery(previewQuery(JSON.parse(debounced), hookId))
  const preview: Preview | undefined = query.data
  return { preview, isStale: debounced !== requested || query.isPlaceholderData }
}
