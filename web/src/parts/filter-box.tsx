/**
 * A text that narrows a list and is kept in the address. The address changes a moment later than a key is pressed, so what is
 * typed leads and the address follows after a pause; when something else changes the address, that leads.
 */
import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'

interface FilterBoxProps {
  label: string
  placeholder: string
  inAddress: string
  write: (text: string) => void
}

const pauseMs = 200

export function FilterBox({ label, placeholder, inAddress, write }: FilterBoxProps) {
  const [text, setText] = useState(inAddress)
  const [seen, setSeen] = useState(inAddress)
  const [written, setWritten] = useState(inAddress)
  const router = useRouter()
  const writeSoon = useDebouncedCallback((typed: string) => {
    // While another page loads, this one is still shown; writing now would call the user back.
    if (router.latestLocation.pathname !== router.state.resolvedLocation?.pathname) return
    setWritten(typed)
    write(typed)
  }, pauseMs)
  if (inAddress !== seen) {
    setSeen(inAddress)
    if (inAddress !== written) {
      setWritten(inAddress)
      setText(inAddress)
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
        writeSoon(typed)
      }}
    />
  )
}
