/** A package has JavaScript files only, and a command of its own. */
const isPackage = import.meta.url.endsWith('.js')

/** Returns how an operator runs a command, such as `migrate` or `admin account list`. */
export function commandLine(command: string): string {
  if (isPackage) return `hookline-server ${command}`
  return command.startsWith('admin') ? command.replace('admin', 'npm run admin --') : `npm run ${command}`
}
