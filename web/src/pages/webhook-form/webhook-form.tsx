/** A webhook as a form: on one side what it is, on the other what it would send and which events it would have got. */
import { Button, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import type { Preview, Remark } from '../../api/shapes.ts'
import { previewQuery } from '../../api/hooks.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import form from '../../parts/form.module.css'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { fieldOf, type FormValues, wireOf } from './form-values.ts'
import { FilterTrial } from './filter-trial.tsx'
import { ShownPreview } from './shown-preview.tsx'
import { Sentence } from './sentence.tsx'
import styles from './webhook-form.module.css'

interface WebhookFormProps {
  initial: FormValues
  /** The webhook that is changed; undefined for a new one. */
  hookId?: number
  action: string
  isBusy: boolean
  error: Error | null
  save: (values: FormValues, thenTest: boolean) => void
  cancel: ReactNode
}

const pauseMs = 350
const exampleAddress = 'https://example.com/webhook'

export function WebhookForm(props: WebhookFormProps) {
  const { initial, hookId, action, isBusy, error, save, cancel } = props
  const fields = useForm<FormValues>({
    initialValues: initial,
    validate: {
      address: (value) => (value.trim() === '' ? 'Give the address to which events are to be sent.' : null),
      filter: (value, { filterKind }) =>
        filterKind !== 'any' && value.trim() === ''
          ? 'Give at least one value, or choose all events in the sentence above.'
          : null,
      mostPerSecond: (value) =>
        value.trim() === '' || /^[1-9]\d{0,5}$/.test(value.trim())
          ? null
          : 'Give a whole number above 0, or nothing for no limit.',
    },
  })
  const { preview, isOld } = usePreview(fields.values, hookId)
  const remarkOn = (field: keyof FormValues) =>
    isOld || fields.values[field] === ''
      ? undefined
      : preview?.problems.find((problem) => fieldOf[problem.field] === field)?.message
  const headersRemark = fields.errors.headers ?? remarkOn('headers')
  return (
    <div className={styles.sides}>
      <form
        className={styles.side}
        noValidate
        onSubmit={fields.onSubmit((values, event) => save(values, isForTest(event)))}
      >
        <Panel>
          <div className={form.wide}>
            <Sentence fields={fields} remarkOn={remarkOn} />
            <Warnings remarks={isOld ? [] : (preview?.warnings ?? [])} />
            <Disclosure
              summary={hookId === undefined ? 'Headers' : 'Headers and pace'}
              isOpenAtFirst={hasMore(initial)}
              isNeeded={headersRemark !== undefined || fields.errors.mostPerSecond !== undefined}
            >
              <div className={form.wide}>
                <Textarea
                  label="Headers"
                  description="One a line, sent with every call. They are kept sealed, and masked wherever else they are shown."
                  placeholder="Authorization: Bearer …"
                  autosize
                  minRows={2}
                  spellCheck={false}
                  classNames={{ input: styles.mono ?? '' }}
                  {...fields.getInputProps('headers')}
                  error={headersRemark}
                />
                {hookId !== undefined && (
                  <TextInput
                    label="At most so many a second"
                    description="For receivers that bear only so much. Empty: as they come."
                    inputMode="numeric"
                    className={styles.short ?? ''}
                    {...fields.getInputProps('mostPerSecond')}
                  />
                )}
              </div>
            </Disclosure>
            <FailureNote error={error} />
            <div className={form.actions}>
              <Button type="submit" loading={isBusy}>
                {action}
              </Button>
              <Button type="submit" variant="default" value="test" disabled={isBusy}>
                {action} and send a test
              </Button>
              {cancel}
            </div>
          </div>
        </Panel>
        <FilterTrial
          values={fields.values}
          hookId={hookId}
          isJudged={!isOld}
          isWrong={preview?.problems.some(({ field }) => field === 'event_filter') === true}
        />
      </form>
      <div className={styles.side}>
        <ShownPreview
          preview={preview}
          method={fields.values.method}
          choose={(method) => fields.setFieldValue('method', method)}
          isExample={fields.values.address.trim() === ''}
        />
      </div>
    </div>
  )
}

/** Which of the two buttons was pressed. */
function isForTest(event: FormEvent<HTMLFormElement> | undefined): boolean {
  const submitter = event?.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null
  return submitter instanceof HTMLButtonElement && submitter.value === 'test'
}

function hasMore({ headers, mostPerSecond }: FormValues): boolean {
  return headers !== '' || mostPerSecond !== ''
}

/** What the service says about the values, a moment after the last key was pressed. */
function usePreview(values: FormValues, hookId: number | undefined) {
  const wire = wireOf(values)
  const wanted = JSON.stringify({ ...wire, target_url: wire.target_url || exampleAddress })
  const [asked] = useDebouncedValue(wanted, pauseMs)
  const query = useQuery(previewQuery(JSON.parse(asked), hookId))
  const preview: Preview | undefined = query.data
  return { preview, isOld: asked !== wanted || query.isPlaceholderData }
}

function Warnings({ remarks }: { remarks: readonly Remark[] }) {
  return remarks.map(({ message }) => <Notice key={message} tone="attention" role="status" title={message} />)
}
