import { type Column, DataTable } from '../../../ui/data/data-table.tsx'
import styles from '../guides.module.css'
import type { Field } from './schema-fields.ts'

const columns: readonly Column<Field>[] = [
  { title: 'Field', kind: 'main', cell: ({ name }) => <code className={styles.code}>{name}</code> },
  { title: 'Type', cell: ({ type, isRequired }) => (isRequired ? type : `${type}, optional`) },
  {
    title: 'Description',
    cell: ({ description, values }) => (
      <>
        {description === '' && values.length === 0 ? '–' : description}
        {values.length > 0 && (
          <>
            {' '}
            {values.length === 1 ? 'Always' : 'One of'}{' '}
            {values.map((value, index) => (
              <span key={value}>
                {index > 0 && ', '}
                <code className={styles.code}>{value}</code>
              </span>
            ))}
          </>
        )}
      </>
    ),
  },
]

export function FieldTable({ fields }: { fields: readonly Field[] }) {
  return (
    <DataTable
      label="Fields"
      columns={columns}
      rows={fields}
      keyOf={({ name }) => name}
      empty={<p>The schema of this type names no fields.</p>}
    />
  )
}
