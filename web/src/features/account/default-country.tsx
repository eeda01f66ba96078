import { NativeSelect, Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { countryQuery, useSetCountry } from '../../api/account.ts'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { useAccess } from '../auth/use-access.ts'
import styles from './account.module.css'

const names = new Intl.DisplayNames('en', { type: 'region' })

export function DefaultCountry() {
  const { data, error } = useQuery(countryQuery)
  const set = useSetCountry()
  const { hasRole } = useAccess()
  if (error !== null) return <ErrorNotice error={error} isChange={false} />
  if (data === undefined) return <Skeleton height={60} />
  const { country: current } = data
  if (!hasRole('admin'))
    return (
      <TextInput
        className={styles.field}
        label="Country"
        description="Admins can change it."
        value={current === null ? 'None' : (names.of(current) ?? current)}
        readOnly
      />
    )
  const choices = data.countries
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
  return (
    <>
      <NativeSelect
        className={styles.field}
        label="Country"
        data={[{ value: '', label: 'None' }, ...choices]}
        value={current ?? ''}
        disabled={set.isPending}
        onChange={(event) => {
          const country = event.currentTarget.value
          set.mutate(country === '' ? null : country, { onSuccess: () => toast('Default country saved') })
        }}
      />
      <ErrorNotice error={set.error} />
    </>
  )
}
