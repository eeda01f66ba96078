/** A time in some words, and exactly, in local time and UTC, on hover and focus. */
import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { exactTime } from '../words/time.ts'

interface ExactTimeProps {
  at: string
  className: string | undefined
  /** As it is said; that of its seconds unless said otherwise. */
  utc?: string
  children: ReactNode
}

export function ExactTime({ at, className, utc, children }: ExactTimeProps) {
  const exact = exactTime(new Date(at))
  return (
    <Tooltip
      label={
        <>
          {exact.local}
          <br />
          {utc ?? exact.utc}
        </>
      }
    >
      <time className={className} dateTime={at} tabIndex={0}>
        {children}
      </time>
    </Tooltip>
  )
}
