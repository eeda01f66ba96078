/** Copy button that reports the result. */
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { copyText } from '../../lib/clipboard.ts'
import styles from './copy.module.css'

interface CopyProps {
  text: string
  /** Content type, such as "key". */
  label: string
  /** Shows a text label, where copying is the main action. */
  isLarge?: boolean
}

type Result = 'idle' | 'copied' | 'rejected'

const resultMs = 2_000

export function Copy({ text, label, isLarge = false }: CopyProps) {
  const [result, setResult] = useState<Result>('idle')
  useEffect(() => {
    if (result === 'idle') return
    const timer = setTimeout(() => setResult('idle'), resultMs)
    return () => clearTimeout(timer)
  }, [result])

  const message = {
    idle: `Copy ${label}`,
    copied: 'Copied',
    rejected: 'Copy failed. Select the text instead',
  }[result]
  const icon = result === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />
  const copy = async () => setResult((await copyText(text)) ? 'copied' : 'rejected')
  return (
    <>
      {isLarge ? (
        <Button variant="default" leftSection={icon} onClick={() => void copy()}>
          {message}
        </Button>
      ) : (
        <Tooltip label={message}>
          <ActionIcon
            className={styles.small}
            variant="subtle"
            color="gray"
            aria-label={`Copy ${label}`}
            onClick={() => void copy()}
          >
            {icon}
          </ActionIcon>
        </Tooltip>
      )}
      <span className={styles.visuallyHidden} role="status">
        {result === 'idle' ? '' : message}
      </span>
    </>
  )
}
