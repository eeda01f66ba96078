/** The heart of a webhook as one sentence: when what happens for whom, what is sent how and where. */
import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { eventTypes, typeWords } from '../../words/event-types.ts'
import type { FilterKind, FormValues } from './form-values.ts'
import styles from './webhook-form.module.css'

interface SentenceProps {
  fields: UseFormReturnType<FormValues>
  /** What the service says about a field right now. */
  remarkOn: (field: keyof FormValues) => ReactNode
}

const methods = [
  { value: 'JSON', title: 'JSON' },
  { value: 'POST', title: 'a form (POST)' },
  { value: 'GET', title: 'a query (GET)' },
] as const

export function Sentence({ fields, remarkOn }: SentenceProps) {
  const { eventType, filterKind } = fields.values
  const { verb } = typeWords(eventType)
  return (
    <>
      <p className={styles.sentence}>
        <span>When</span>{' '}
        <InlineSelect
          label="Which event"
          value={eventType}
          choices={eventTypes.map((type) => ({ value: type, title: typeWords(type).subject }))}
          choose={(value) => fields.setFieldValue('eventType', value)}
        />{' '}
        <span>{verb} for</span>{' '}
        <InlineSelect
          label="For which numbers"
          value={filterKind}
          choices={filterChoices(eventType, filterKind)}
          choose={(value) => fields.setFieldValue('filterKind', value)}
        />
        <span>, send it as</span>{' '}
        <InlineSelect
          label="In which form"
          value={fields.values.method}
          choices={methods}
          choose={(value) => fields.setFieldValue('method', value)}
        />{' '}
        <span>to</span>
      </p>
      <TextInput
        aria-label="Address"
        placeholder="https://example.com/webhook"
        inputMode="url"
        size="md"
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: styles.mono ?? '' }}
        {...fields.getInputProps('address')}
        error={fields.errors.address ?? remarkOn('address')}
      />
      {filterKind === 'values' && (
        <TextInput
          label={eventType === 'rcs' ? 'Agents' : 'Numbers'}
          description="Apart by commas. Numbers may be written with or without + and spaces."
          placeholder={eventType === 'rcs' ? 'agent-one, agent-two' : '4915123456789, 4930123456'}
          spellCheck={false}
          {...fields.getInputProps('filter')}
          error={fields.errors.filter ?? remarkOn('filter')}
        />
      )}
      {filterKind === 'expression' && (
        <Textarea
          label="Expression"
          description="In CEL, over event and data; true lets the event through."
          placeholder={'data.system == "4915123456789" && data.text.startsWith("STOP")'}
          autosize
          minRows={2}
          spellCheck={false}
          classNames={{ input: styles.mono ?? '' }}
          {...fields.getInputProps('filter')}
          error={fields.errors.filter ?? remarkOn('filter')}
        />
      )}
    </>
  )
}

function filterChoices(eventType: FormValues['eventType'], chosen: FilterKind) {
  const { filtered } = typeWords(eventType)
  const plain = { any: 'everything', values: 'these numbers only' }
  const words =
    filtered === null
      ? plain
      : { any: `any ${filtered}`, values: `${filtered === 'agent' ? 'these agents' : 'these numbers'} only` }
  return [
    { value: 'any', title: words.any },
    // Events without such a field never match one, so it is not offered.
    ...(filtered !== null || chosen === 'values' ? [{ value: 'values', title: words.values } as const] : []),
    { value: 'expression', title: 'what fits an expression' },
  ] as const
}

interface InlineSelectProps<Value extends string> {
  label: string
  value: Value
  choices: readonly { value: Value; title: string }[]
  choose: (value: Value) => void
}

function InlineSelect<Value extends string>({ label, value, choices, choose }: InlineSelectProps<Value>) {
  return (
    <select
      className={styles.inline}
      aria-label={label}
      value={value}
      onChange={(event) => {
        const chosen = choices.find((choice) => choice.value === event.currentTarget.value)
        if (chosen !== undefined) choose(chosen.value)
      }}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.title}
        </option>
      ))}
    </select>
  )
}
