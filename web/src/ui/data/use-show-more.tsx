/** Shortens a long list until the user asks for all of it. */
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formatNumber } from '../../lib/format-number.ts'

interface ShowMore<Item> {
  shown: readonly Item[]
  /** Button for the rest. Null if all items are shown. */
  showMore: ReactNode
}

export function useShowMore<Item>(items: readonly Item[], max: number, noun: string): ShowMore<Item> {
  const [isComplete, setComplete] = useState(false)
  if (isComplete || items.length <= max) return { shown: items, showMore: null }
  return {
    shown: items.slice(0, max),
    showMore: (
      <Button variant="default" size="xs" mt="md" onClick={() => setComplete(true)}>
        Show all {formatNumber(items.length)} {noun}
      </Button>
    ),
  }
}
