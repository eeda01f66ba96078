import { expect, test } from 'vitest'
import { findMigrationProblems } from './migrations.ts'

const accepted = {
  'an index on a new table': 'CREATE TABLE notes (id bigint);\nCREATE INDEX notes_id ON notes (id);',
  'a concurrent index':
    '-- no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS hooks_name ON hooks (name)',
  'an index of the ledger, built in advance':
    '-- day by day: tail ON attempts (account_id, xid)\nCREATE INDEX attempts_tail ON attempts (account_id, xid);',
  'a new column': 'ALTER TABLE hooks ADD COLUMN note text;',
  'a column that no running version uses': '-- unused since 0.2.0\nALTER TABLE hooks DROP COLUMN note;',
  'a comment about an index': '-- CREATE INDEX hooks_name ON hooks (name) would lock the table.\nSELECT 1;',
}

const rejected = {
  'CREATE INDEX hooks_name ON hooks (name);': /hooks_name: use CREATE INDEX CONCURRENTLY/,
  'CREATE UNIQUE INDEX IF NOT EXISTS hooks_name ON hooks (name);':
    /hooks_name: use CREATE INDEX CONCURRENTLY/,
  'CREATE INDEX attempts_tail ON attempts (xid);': /attempts_tail: build it in advance.*tail ON attempts/,
  'CREATE INDEX CONCURRENTLY attempts_tail ON attempts (xid);': /attempts_tail: build it in advance/,
  '-- day by day: tail ON events (xid)\nCREATE INDEX attempts_tail ON attempts (xid);': /build it in advance/,
  'ALTER TABLE hooks DROP COLUMN note;': /DROP COLUMN: remove it one version after/,
  'alter table hooks rename column note to notes;': /rename column: remove it one version after/,
  'ALTER TABLE hooks ALTER COLUMN note TYPE integer;': /ALTER COLUMN note TYPE/,
  'DROP TABLE notes;': /DROP TABLE/,
  'ALTER TABLE events ADD COLUMN note text;\nALTER TABLE attempts ADD COLUMN note text;':
    /use one file for each of events, attempts/,
  '-- day by day: note ON attempts (note)\nALTER TABLE events ADD COLUMN note text;\nCREATE INDEX attempts_note ON attempts (note);':
    /use one file for each of events, attempts/,
}

test.each(Object.entries(accepted))('%s is accepted', (_case, sql) => {
  expect(findMigrationProblems([{ name: '0099_new.sql', sql }])).toEqual([])
})

test.each(Object.entries(rejected))('%s is rejected', (sql, problem) => {
  const problems = findMigrationProblems([{ name: '0099_new.sql', sql }])
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^0099_new\.sql: /)
  expect(problems[0]).toMatch(problem)
})

test('merged migrations stay as they are', () => {
  const sql = 'CREATE INDEX hooks_name ON hooks (name);'
  expect(findMigrationProblems([{ name: '0034_old.sql', sql }])).toEqual([])
})
