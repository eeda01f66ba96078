/**
 * The gate of migrations. The previous version runs while a migration does, and during a rollback after it: a migration
 * must not lock large tables for long, and must not remove what the previous version uses.
 */
import { ledgerTables } from '../server/src/ledger/partitions.ts'

/** Later migrations are checked. Merged ones never change. */
const lastUnchecked = '0034'
/** Tables with a partition per day. An index on them is built day by day. */
const partitionedTables = new Set<string>(ledgerTables)
const removals = /\b(?:DROP (?:TABLE|COLUMN)|RENAME (?:COLUMN|TO)|ALTER COLUMN \w+ (?:SET DATA )?TYPE)\b/gi
const indexes = /\bCREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?(\w+)\s+ON (?:ONLY )?(\w+)/gi
const locks = /\b(?:ALTER TABLE (?:IF EXISTS )?(?:ONLY )?|CREATE (?:UNIQUE )?INDEX (?:\w+ )+?ON )(\w+)/gi

export function findMigrationProblems(migrations: ReadonlyArray<{ name: string; sql: string }>): string[] {
  return migrations
    .filter(({ name }) => name.slice(0, lastUnchecked.length) > lastUnchecked)
    .flatMap(({ name, sql }) =>
      [...findBlockingIndexes(sql), ...findDeadlocks(sql), ...findRemovals(sql)].map(
        (problem) => `${name}: ${problem}`,
      ),
    )
}

function findBlockingIndexes(sql: string): string[] {
  return [...statementsOf(sql).matchAll(indexes)].flatMap(([, isConcurrent, index = '', table = '']) => {
    const isNew = new RegExp(`\\bCREATE TABLE (?:IF NOT EXISTS )?${table}\\b`, 'i').test(sql)
    if (isNew) return []
    if (!partitionedTables.has(table))
      return isConcurrent === undefined
        ? [`${index}: use CREATE INDEX CONCURRENTLY, in a file that starts with "-- no transaction"`]
        : []
    // The index of a table takes those of its partitions only if they have the same definition.
    const step = `-- day by day: ${index.replace(`${table}_`, '')} ON ${table} `
    return sql.includes(step) ? [] : [`${index}: build it in advance, with a line "${step}(…)"`]
  })
}

/** A transaction that locks two of these tables can deadlock with one that writes to them in another order. */
function findDeadlocks(sql: string): string[] {
  const locked = [...statementsOf(sql).matchAll(locks)].map(([, table = '']) => table)
  const tables = [...new Set(locked)].filter((table) => partitionedTables.has(table))
  return tables.length > 1 ? [`use one file for each of ${tables.join(', ')}`] : []
}

function findRemovals(sql: string): string[] {
  if (/^-- unused since \d+\.\d+\.\d+/m.test(sql)) return []
  return [...statementsOf(sql).matchAll(removals)].map(
    ([removal]) =>
      `${removal}: remove it one version after the last use, with a comment "-- unused since <version>"`,
  )
}

function statementsOf(sql: string): string {
  return sql.replaceAll(/--.*$/gm, '')
}
