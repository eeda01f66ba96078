/** Chooses several event types for one webhook. */
import { Checkbox } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { eventTypeText } from '../../../messages/event-types.ts'
import type { FormValues } from './form-values.ts'
import styles from './webhook-form.module.css'

interface TypeListProps {
  fields: UseFormReturnType<FormValues>
  types: readonly string[]
}

export function TypeList({ fields, types }: TypeListProps) {
  // A webhook can keep types that were removed.
  const offered = [...new Set([...types, ...fields.values.eventTypes])]
  return (
    <Checkbox.Group
      label="Chosen types"
      description="The webhook receives these types only, not types that are added later."
      {...fields.getInputProps('eventTypes')}
    >
      <div
        className={styles.types}
        {...(fields.errors.eventTypes !== undefined && { 'data-invalid-group': true })}
      >
        {offered.map((type) => (
          <Checkbox key={type} value={type} label={eventTypeText(type).name} />
        ))}
      </div>
    </Checkbox.Group>
  )
}
