/**
 * Filter text that is stored in the URL. Typing updates the input at once and the URL after a debounce. Other URL changes
 * update the input.
 */
import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'

interface FilterBoxProps {
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
}

const debounceMs = 200

export function FilterBox({ label, placeholder, value, onChange }: FilterBoxProps) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [written, setWritten] = useState(value)
  const router = useRouter()
  const updateUrl = useDebouncedCallback((typed: string) => {
    // While another page loads, this one is still visible. Updating the URL now would cancel the navigation.
    if (router.latestLocation.pathname !== router.state.resolvedLocation?.pathname) return
    setWritten(typed)
    onChange(typed)
  }, debounceMs)
  if (value !== seen) {
    setSeen(value)
    if (value !== written) {
      setWritten(value)
      setText(value)
    }
  }
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} />}
      value={text}
      onChange={({ currentTarget: { value: typed } }) => {
        setText(typed)
        updateUrl(typed)
      }}
    />
  )
}
