/**
 * A text that is typed here and kept in the address. The address changes a moment later than a key is pressed, so what is
 * typed leads and the address follows after a pause; when something else changes the address, that leads.
 */
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

const pauseMs = 200

export function useTypedInAddress(
  inAddress: string,
  write: (text: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(inAddress)
  const [seen, setSeen] = useState(inAddress)
  const [written, setWritten] = useState(inAddress)
  const writeSoon = useDebouncedCallback((typed: string) => {
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
  return [
    text,
    (typed) => {
      setText(typed)
      writeSoon(typed)
    },
  ]
}
