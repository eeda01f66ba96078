import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = `${root}receivers/php/`

/** Packs the receiver library for PHP, with its version in `composer.json`. */
export async function buildPhp(output: string): Promise<string> {
  const { version } = JSON.parse(await readFile(`${root}receiver/package.json`, 'utf8'))
  const manifest = JSON.parse(await readFile(`${source}composer.json`, 'utf8'))
  const parent = `${output}php/`
  const folder = `${parent}hookline-receiver/`
  await rm(parent, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const name of ['src', 'autoload.php', 'README.md'])
    await cp(`${source}${name}`, `${folder}${name}`, { recursive: true })
  await cp(`${root}LICENSE`, `${folder}LICENSE`)
  await writeFile(`${folder}composer.json`, `${JSON.stringify({ ...manifest, version }, null, 4)}\n`)
  const file = `${output}hookline-receiver-php-${version}.tar.gz`
  // No times, users and modes of this machine.
  const fixed = '--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX'.split(' ')
  await promisify(execFile)('tar', [...fixed, '-czf', file, '-C', parent, 'hookline-receiver'])
  return file
}
