/** A button that copies, and says so. */
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'
import styles from './copy.module.css'

interface CopyProps {
  text: string
  /** What is copied, such as "key". */
  what: string
  /** With words on it, where copying is the main thing to do. */
  isLarge?: boolean
}

type Result = 'idle' | 'copied' | 'refused'

const shownMs = 2_000

export function Copy({ text, what, isLarge = false }: CopyProps) {
  const [result, setResult] = useState<Result>('idle')
  useEffect(() => {
    if (result === 'idle') return
    const timer = setTimeout(() => setResult('idle'), shownMs)
    return () => clearTimeout(timer)
  }, [result])

  const words = { idle: `Copy ${what}`, copied: 'Copied', refused: 'Select the text and copy it by hand' }[
    result
  ]
  const icon = result === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />
  const copy = async () => setResult((await copyText(text)) ? 'copied' : 'refused')
  return (
    <>
      {isLarge ? (
        <Button variant="default" leftSection={icon} onClick={() => void copy()}>
          {words}
        </Button>
      ) : (
        <Tooltip label={words}>
          <ActionIcon
            className={styles.small}
            variant="subtle"
            color="gray"
            aria-label={`Copy ${what}`}
            onClick={() => void copy()}
          >
            {icon}
          </ActionIcon>
        </Tooltip>
      )}
      <span className={styles.heard} role="status">
        {result === 'idle' ? '' : words}
      </span>
    </>
  )
}
