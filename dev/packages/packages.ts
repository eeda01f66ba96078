import { buildCli } from './cli.ts'
import { buildLibrary } from './library.ts'
import { buildPhp } from './php.ts'
import { buildPython } from './python.ts'

/** A package for developers who use Hookline. */
interface DeveloperPackage {
  name: string
  /** The command that installs the file. */
  install: string
  /** Builds the package in a folder, the same bytes every time. Returns the file. */
  build: (output: string) => Promise<string>
}

export const packages: readonly DeveloperPackage[] = [
  { name: 'cli', install: 'npm install -g', build: buildCli },
  { name: 'client', install: 'npm install', build: (output) => buildLibrary('sdk', output) },
  { name: 'receiver', install: 'npm install', build: (output) => buildLibrary('receiver', output) },
  { name: 'php', install: 'tar -xf', build: buildPhp },
  { name: 'python', install: 'pip install', build: buildPython },
]
