/** Installs the PHP package into a project as users do: with Composer, from a path, without network access. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const phpPackage = fileURLToPath(new URL('../../../../receivers/php', import.meta.url))

export function composer(folder: string, ...args: string[]): string {
  return execFileSync('composer', ['--no-interaction', '--no-ansi', ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      COMPOSER_HOME: join(folder, '.composer'),
      COMPOSER_ALLOW_SUPERUSER: '1',
      COMPOSER_DISABLE_NETWORK: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
}

/** Adds `vendor/` with the package to the folder. */
export function requirePackage(folder: string): void {
  const project = {
    repositories: [{ type: 'path', url: phpPackage, options: { symlink: false } }, { packagist: false }],
    require: { 'hookline/receiver': '@dev' },
  }
  writeFileSync(join(folder, 'composer.json'), JSON.stringify(project))
  composer(folder, 'update')
}
