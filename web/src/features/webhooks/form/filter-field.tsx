/** Editor of the filter: numbers, or an expression with its mistake marked. */
import { Button, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Preview } from '../../../api/types.ts'
import { eventTypeText } from '../../../messages/event-types.ts'
import { TextLink } from '../../../ui/layout/links.tsx'
import {
  expressionPrefix,
  type FormValues,
  isExpressionText,
  pluralOf,
  withoutPrefix,
} from './form-values.ts'
import styles from './webhook-form.module.css'

interface FilterFieldProps {
  fields: UseFormReturnType<FormValues>
  problem: Preview['problems'][number] | undefined
}

export function FilterField({ fields, problem }: FilterFieldProps) {
  const { eventType, filterKind, filter } = fields.values
  const { filterField } = eventTypeText(eventType)
  if (filterKind === 'values')
    return (
      <div className={styles.field}>
        <TextInput
          label={pluralOf(filterField).replace(/^./, (first) => first.toUpperCase())}
          description="Comma-separated. Numbers can contain + and spaces."
          placeholder={filterField === 'agent' ? 'agent-one, agent-two' : '4915123456789, 4930123456'}
          spellCheck={false}
          {...fields.getInputProps('filter')}
          error={fields.errors.filter ?? problem?.message}
        />
        {isExpressionText(filter) && (
          <Button
            variant="default"
            size="xs"
            className={styles.suggestion ?? ''}
            onClick={() => fields.setValues({ filterKind: 'expression', filter: withoutPrefix(filter) })}
          >
            Use as expression
          </Button>
        )}
      </div>
    )
  if (filterKind === 'expression')
    return (
      <Textarea
        label="Expression"
        description={
          <>
            CEL over event and data. Events match if the result is true.{' '}
            <TextLink to="/guides/$guide" params={{ guide: 'filters' }} target="_blank" inherit>
              Filter guide
            </TextLink>
          </>
        }
        placeholder={'data.system == "4915123456789" && data.text.startsWith("STOP")'}
        autosize
        minRows={2}
        spellCheck={false}
        classNames={{ input: styles.mono ?? '' }}
        {...fields.getInputProps('filter')}
        error={
          fields.errors.filter ??
          (problem && <Mistake expression={withoutPrefix(filter)} problem={problem} />)
        }
      />
    )
  return null
}

const contextLength = 40

/** Explains a mistake and shows the text around it. */
function Mistake({
  expression,
  problem: { message, position },
}: {
  expression: string
  problem: Preview['problems'][number]
}) {
  if (position === null || position.length === 0) return message
  const start = position.index - expressionPrefix.length
  const end = start + position.length
  const before = expression.slice(0, start)
  const after = expression.slice(end)
  return (
    <>
      {message}
      <span className={styles.mistake}>
        {shortenStart(before)}
        <mark>{expression.slice(start, end)}</mark>
        {after.length > contextLength ? `${after.slice(0, contextLength)}…` : after}
      </span>
    </>
  )
}

function shortenStart(text: string): string {
  return text.length > contextLength ? `…${text.slice(-contextLength)}` : text
}
