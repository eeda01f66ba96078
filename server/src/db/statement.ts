/**
 * Statements whose text is built once. Building the text of a wide statement takes longer than encoding its parameters,
 * so frequent statements have parameters that are read from the input of each execution.
 */
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

export type Statement<Input, Row> = (db: Database, input: Input) => Promise<Row[]>

/** A parameter in the text of a statement. */
class InputParameter {
  readonly read: (input: never) => unknown

  constructor(read: (input: never) => unknown) {
    this.read = read
  }
}

/** A parameter that is read from the input of each execution. */
export function inputParameter<Input>(read: (input: Input) => unknown): RawBuilder<unknown> {
  return sql`${sql.val(new InputParameter(read))}`
}

export function createStatement<Input, Row>(text: RawBuilder<Row>): Statement<Input, Row> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, input) => {
    compiled ??= text.compile(db)
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof InputParameter ? parameter.read(input as never) : parameter,
    )
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}
