import { isBuilt } from './package-files.ts'

/** Returns how an operator runs a command, such as `migrate` or `admin account list`. */
export function commandLine(command: string): string {
  if (isBuilt) return `hookline-server ${command}`
  return command.startsWith('admin') ? command.replace('admin', 'npm run admin --') : `npm run ${command}`
}
