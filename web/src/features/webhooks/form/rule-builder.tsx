/** Builds the rule of a webhook as a sentence: event type, filter, format and endpoint URL. */
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { eventTypesQuery } from '../../../api/client.ts'
import type { Preview } from '../../../api/types.ts'
import { deliverableTypes, eventTypeText, hookTypes, severalTypes } from '../../../messages/event-types.ts'
import { requestMethods, requestMethodText } from '../../../messages/request-methods.ts'
import { TextLink } from '../../../ui/layout/links.tsx'
import { FilterField } from './filter-field.tsx'
import { type FilterKind, type FormValues, pluralOf } from './form-values.ts'
import { TypeList } from './type-list.tsx'
import { UrlField } from './url-field.tsx'
import styles from './webhook-form.module.css'

interface RuleBuilderProps {
  fields: UseFormReturnType<FormValues>
  /** Returns the problem that the service reports for a field. */
  problemOf: (field: keyof FormValues) => Preview['problems'][number] | undefined
}

export function RuleBuilder({ fields, problemOf }: RuleBuilderProps) {
  const { eventType, filterKind } = fields.values
  const catalog = useQuery(eventTypesQuery).data
  const types = [...new Set([...hookTypes(catalog, eventType), severalTypes])]
  const { verb, filterField } = eventTypeText(eventType)
  return (
    <>
      <p className={styles.rule}>
        <span>When</span>{' '}
        <InlineSelect
          label="Event type"
          value={eventType}
          choices={types.map((type) => ({ value: type, title: eventTypeText(type).subject }))}
          choose={(value) => {
            fields.setFieldValue('eventType', value)
            // A list of types has only expressions beside it.
            if (value === severalTypes && filterKind === 'values') fields.setFieldValue('filterKind', 'any')
          }}
        />{' '}
        <span>
          {verb} {filterField === null ? 'with' : 'for'}
        </span>{' '}
        <InlineSelect
          label="Event filter"
          value={filterKind}
          choices={filterChoices(eventType, filterKind)}
          choose={(value) => fields.setFieldValue('filterKind', value)}
        />
        <span>, send it as</span>{' '}
        <InlineSelect
          label="Request format"
          value={fields.values.method}
          choices={requestMethods.map((method) => ({
            value: method,
            title: requestMethodText[method].choice,
          }))}
          choose={(value) => fields.setFieldValue('method', value)}
        />{' '}
        <span>to</span>
      </p>
      <UrlField fields={fields} problem={problemOf('targetUrl')} />
      {eventType === severalTypes && <TypeList fields={fields} types={deliverableTypes(catalog)} />}
      <FilterField fields={fields} problem={problemOf('filter')} />
      {eventType !== 'all' && eventType !== severalTypes && (
        <TextLink to="/guides/payloads/$type" params={{ type: eventType }} target="_blank" size="sm">
          View payload of {eventTypeText(eventType).subject}
        </TextLink>
      )}
    </>
  )
}

function filterChoices(eventType: FormValues['eventType'], chosen: FilterKind) {
  const { filterField } = eventTypeText(eventType)
  const generic = { any: 'any content', values: 'these numbers only' }
  const labels =
    filterField === null
      ? generic
      : {
          any: `any ${filterField}`,
          values: `these ${pluralOf(filterField)} only`,
        }
  return [
    { value: 'any', title: labels.any },
    // Hidden for types without a number or agent, because such a filter never matches.
    ...(filterField !== null || chosen === 'values'
      ? [{ value: 'values', title: labels.values } as const]
      : []),
    { value: 'expression', title: `${filterField === null ? 'content' : 'events'} matching an expression` },
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
