/** Editable list of redirect URIs. Requests must match one exactly. */
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './apps.module.css'

const maxUris = 10

interface RedirectUrisProps {
  value: readonly string[]
  onChange: (value: string[]) => void
  error?: ReactNode
}

export function RedirectUris({ value, onChange, error }: RedirectUrisProps) {
  return (
    <fieldset className={styles.uris}>
      <legend className={styles.legend}>Redirect URIs</legend>
      <p className={styles.muted}>Users return here after consent. URIs must match exactly.</p>
      {value.map((uri, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a URI has no identity but its index
        <div className={styles.uri} key={index}>
          <TextInput
            aria-label={`Redirect URI ${index + 1}`}
            placeholder="https://app.example.com/callback"
            type="url"
            spellCheck={false}
            value={uri}
            onChange={(event) => onChange(value.with(index, event.currentTarget.value))}
            error={index === value.length - 1 && error}
          />
          {value.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove redirect URI ${index + 1}`}
              onClick={() => onChange(value.toSpliced(index, 1))}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      {value.length < maxUris && (
        <Button
          className={styles.add}
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...value, ''])}
        >
          Add URI
        </Button>
      )}
    </fieldset>
  )
}

export function filledUris(value: readonly string[]): string[] {
  return value.map((uri) => uri.trim()).filter((uri) => uri !== '')
}
