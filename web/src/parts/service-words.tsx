/** Words of the service, their times and numbers written as these pages write them. Not for what people wrote. */
import { useState } from 'react'
import { secondWords } from '../words/clock.ts'
import { exactTime } from '../words/time.ts'
import { unbroken } from '../words/unbroken.ts'
import { useNow } from './use-now.ts'

export function ServiceWords({ of: sentence }: { of: string }) {
  return <Parts key={sentence} of={sentence} />
}

function Parts({ of: sentence }: { of: string }) {
  const now = new Date(useNow())
  // A time without a date is of the day on which it was said, however long it stays on the screen.
  const [parts] = useState(() => partsOf(sentence, new Date()))
  return parts.map((part, place) => {
    if (typeof part === 'string') return part
    const { local, utc } = exactTime(part)
    return (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a sentence keep their places
      <time key={place} dateTime={part.toISOString()} title={`${local} (${utc})`}>
        {secondWords(part, now)}
      </time>
    )
  })
}

/** `12:05:00 UTC`, with a date before it if it is not of today in UTC. */
const times = /((?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d UTC)/
const thousands = /(?<=\d),(?=\d{3})/g

function partsOf(sentence: string, said: Date): (string | Date)[] {
  const today = said.toISOString().slice(0, 11)
  return sentence.split(times).map((part, place) => {
    if (place % 2 === 0) return unbroken(part.replaceAll(thousands, '\u202f'))
    const time = part.replace(' UTC', 'Z').replace(' ', 'T')
    return new Date(time.includes('T') ? time : `${today}${time}`)
  })
}
