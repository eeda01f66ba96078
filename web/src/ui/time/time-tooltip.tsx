/** Time with a tooltip in local time and UTC, on hover and focus. */
import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatExact } from '../../lib/format-time.ts'

interface TimeTooltipProps {
  at: string
  className: string | undefined
  /** Relative text, shown first. */
  relative?: string
  /** UTC text. Default: precise to the second. */
  utc?: string
  children: ReactNode
}

export function TimeTooltip({ at, className, relative, utc, children }: TimeTooltipProps) {
  const exact = formatExact(new Date(at))
  return (
    <Tooltip
      label={
        <>
          {relative !== undefined && (
            <>
              {relative}
              <br />
            </>
          )}
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
