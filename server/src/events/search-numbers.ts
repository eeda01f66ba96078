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

/** Selects the different numbers, each found from the one before. */
function numbersEnding(
  accountId: number,
  column: NumberColumn,
  ending: string,
  span: LedgerDay,
): RawBuilder<unknown> {
  const first = reverse(ending)
  // The digit after 9 in ASCII is a colon.
  const end = first.slice(0, -1) + String.fromCharCode(first.charCodeAt(first.length - 1) + 1)
  const next = (after: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    (SELECT ${reversed(column)} AS value FROM events
     WHERE account_id = ${accountId} AND ${after} AND ${reversed(column)} < ${end} AND ${within(span, 'id')}
     ORDER BY ${reversed(column)} LIMIT 1)`
  return sql`
    WITH RECURSIVE found AS (
      ${next(sql`${reversed(column)} >= ${first}`)}
      UNION ALL
      SELECT ${next(sql`${reversed(column)} > found.value`)} FROM found WHERE found.value IS NOT NULL
    )
    SELECT reverse(value) FROM found WHERE value IS NOT NULL LIMIT ${sql.lit(maxNumbers + 1)}`
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
