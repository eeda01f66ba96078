/** What stands in a field while somebody types, until the address says something else. */
import { useState } from 'react'

export function useTyped(told: string): [string, (text: string) => void] {
  const [text, setText] = useState(told)
  const [before, setBefore] = useState(told)
  if (told !== before) {
    setBefore(told)
    setText(told)
  }
  return [text, setText]
}
