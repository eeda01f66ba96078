/**
 * Searches senders and recipients along indexes of reversed numbers, in which the last digits are a prefix. The
 * numbers that end with some digits are found first, one index entry each, and then searched like whole numbers: each
 * has its events in order of time.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../db/database.ts'
import { type LedgerDay, within } from '../ledger/days.ts'
import type { NumberSearch } from '../model/number-search.ts'

const numberColumns = ['sender', 'recipient'] as const
type NumberColumn = (typeof numberColumns)[number]

/** Numbers to look up; null if there are too many, so that events are examined by time instead. */
export type IndexedNumbers = Record<NumberColumn, readonly string[] | null>

/** The numbers of an account that share six digits are few. */
const maxNumbers = 100

export async function findNumbers(
  trx: Trx,
  accountId: number,
  { exact, endings }: NumberSearch,
  span: LedgerDay,
): Promise<IndexedNumbers> {
  if (endings.length === 0) return { sender: exact, recipient: exact }
  const { rows } = await sql<Record<NumberColumn, string[]>>`
    SELECT ${sql.join(
      numberColumns.map(
        (column) =>
          sql`${sql.join(
            endings.map((ending) => sql`array(${numbersEnding(accountId, column, ending, span)})`),
            sql` || `,
          )} AS ${sql.ref(column)}`,
      ),
    )}
  `.execute(trx)
  // An exact number that ends so is found by its end.
  const others = exact.filter((number) => !endings.some((ending) => number.endsWith(ending)))
  const numbersOf = (column: NumberColumn): readonly string[] | null => {
    const found = rows[0]?.[column] ?? []
    return found.length > maxNumbers ? null : [...new Set([...others, ...found])]
  }
  return { sender: numbersOf('sender'), recipient: numbersOf('recipient') }
}

/**
 * Selects the different numbers, each found from the one before. The first is found from a text that sorts before all
 * of them, so the table is planned once: planning takes most of the time.
 */
function numbersEnding(
  accountId: number,
  column: NumberColumn,
  ending: string,
  span: LedgerDay,
): RawBuilder<unknown> {
  const first = reverse(ending)
  return sql`
    WITH RECURSIVE found AS (
      SELECT ${`${neighbor(first, -1)}~`}::text COLLATE "C" AS value
      UNION ALL
      SELECT (
        SELECT ${reversed(column)} FROM events
        WHERE account_id = ${accountId} AND ${reversed(column)} > found.value
          AND ${reversed(column)} < ${neighbor(first, 1)} AND ${within(span, 'id')}
        ORDER BY ${reversed(column)} LIMIT 1
      ) FROM found WHERE found.value IS NOT NULL
    )
    SELECT reverse(value) FROM found WHERE value IS NOT NULL OFFSET 1 LIMIT ${sql.lit(maxNumbers + 1)}`
}

/** Returns the digits with the last one replaced by its neighbor in ASCII: a slash before 0, a colon after 9. */
function neighbor(digits: string, distance: 1 | -1): string {
  return digits.slice(0, -1) + String.fromCharCode(digits.charCodeAt(digits.length - 1) + distance)
}

function reversed(column: NumberColumn): RawBuilder<string> {
  return sql`reverse(${sql.ref(column)}) COLLATE "C"`
}

function reverse(digits: string): string {
  return digits.split('').toReversed().join('')
}

/**
 * Selects candidates by number from both columns. `select` returns those of one condition, in order of time;
 * `examine` the newest events, of which some match.
 */
export function numberCandidates(
  numbers: IndexedNumbers,
  select: (indexed: RawBuilder<unknown>) => RawBuilder<unknown>,
  examine: (matches: RawBuilder<unknown>) => RawBuilder<unknown>,
  search: NumberSearch,
): Array<RawBuilder<unknown>> {
  if (numbers.sender === null || numbers.recipient === null) return [examine(numberCondition(search))]
  return numberColumns.flatMap((column) => {
    const [first, ...more] = numbers[column] ?? []
    if (first === undefined) return []
    if (more.length === 0) return [select(sql`${reversed(column)} = reverse(${first})`)]
    const values = [first, ...more]
    return [
      sql`(SELECT found.id, found.matches FROM unnest(${values}::text[]) AS number (value)
           CROSS JOIN LATERAL ${select(sql`${reversed(column)} = reverse(number.value)`)} AS found)`,
    ]
  })
}

/** Whether sender or recipient of an event match. */
export function numberCondition({ exact, endings }: NumberSearch): RawBuilder<unknown> {
  const matches = numberColumns.flatMap((column) => [
    sql`${sql.ref(column)} = ANY (${exact}::text[])`,
    ...endings.map((ending) => sql`right(${sql.ref(column)}, ${sql.lit(ending.length)}) = ${ending}`),
  ])
  return sql`((${sql.join(matches, sql` OR `)}) IS TRUE)`
}
