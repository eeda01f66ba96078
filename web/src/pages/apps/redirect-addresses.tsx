/** The addresses to which people may return from the consent page; each must be met exactly. */
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './apps.module.css'

const most = 10

interface RedirectAddressesProps {
  value: readonly string[]
  onChange: (value: string[]) => void
  error?: ReactNode
}

export function RedirectAddresses({ value, onChange, error }: RedirectAddressesProps) {
  return (
    <fieldset className={styles.addresses}>
      <legend className={styles.legend}>Redirect addresses</legend>
      <p className={styles.quiet}>
        Where people return after deciding. Compared exactly, character by character.
      </p>
      {value.map((address, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an address has no other identity than its place
        <div className={styles.address} key={index}>
          <TextInput
            aria-label={`Redirect address ${index + 1}`}
            placeholder="https://app.example.com/callback"
            type="url"
            spellCheck={false}
            value={address}
            onChange={(event) => onChange(value.with(index, event.currentTarget.value))}
            error={index === value.length - 1 && error}
          />
          {value.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove redirect address ${index + 1}`}
              onClick={() => onChange(value.toSpliced(index, 1))}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      {value.length < most && (
        <Button
          className={styles.add}
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...value, ''])}
        >
          Another address
        </Button>
      )}
    </fieldset>
  )
}

export function filledAddresses(value: readonly string[]): string[] {
  return value.map((address) => address.trim()).filter((address) => address !== '')
}
