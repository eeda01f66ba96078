/** Connects a command's action: options of the command and of the program, and a connection. */
import type { Command } from 'commander'
import { connect, type Connection } from './connect.ts'

export interface GlobalOptions {
  profile?: string
  json?: boolean
}

type Action<Options> = (
  connection: Connection,
  options: Options & GlobalOptions,
  ...args: string[]
) => Promise<void>

/** Commander passes the arguments, the options and the command. */
export function connected<Options extends object>(action: Action<Options>) {
  return async (...input: unknown[]): Promise<void> => {
    const { options, args } = parse<Options>(input)
    await action(await connect(options), options, ...args)
  }
}

export function plain<Options extends object>(
  action: (options: Options & GlobalOptions, ...args: string[]) => Promise<void>,
) {
  return async (...input: unknown[]): Promise<void> => {
    const { options, args } = parse<Options>(input)
    await action(options, ...args)
  }
}

function parse<Options>(input: unknown[]): { options: Options & GlobalOptions; args: string[] } {
  const command = input.at(-1) as Command
  return { options: command.optsWithGlobals<Options & GlobalOptions>(), args: input.slice(0, -2) as string[] }
}
