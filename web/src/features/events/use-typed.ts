/** Holds the typed text of a field until the URL changes. */
import { useState } from 'react'

export function useTyped(urlText: string): [string, (text: string) => void] {
  const [text, setText] = useState(urlText)
  const [previous, setPrevious] = useState(urlText)
  if (urlText !== previous) {
    setPrevious(urlText)
    setText(urlText)
  }
  return [text, setText]
}
