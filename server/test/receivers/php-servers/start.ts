/** Starts PHP in the ways that sites run it. Each server rewrites /shop/… to index.php, as front controllers need it. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freePort } from '../../../../dev/ports.ts'
import { phpPackage, requirePackage } from '../support/composer.ts'
import { secret } from '../support/requests.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

interface Place {
  folder: string
  /** Document root with index.php. */
  site: string
  port: number
  logFile: string
  /** Of the database with the ids of handled events. */
  dsn: string
}

/** In the names of files, such as 8.2. */
const version = execFileSync('php', ['-r', 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'], {
  encoding: 'utf8',
})

type Start = (place: Place) => Promise<ServerProcess[]>

export const phpServers: Record<string, Start> = {
  'php -S': async ({ site, port, logFile, dsn }) => [
    await startServer('php', ['-d', `error_log=${logFile}`, '-S', `127.0.0.1:${port}`, '-t', site], port, {
      HOOKLINE_SECRET: secret,
      DATABASE_DSN: dsn,
    }),
  ],
  'nginx and PHP-FPM': async (place) => [await startFpm(place), await startNginx(place)],
  'Apache and PHP-FPM': async (place) => [
    await startFpm(place),
    await startApache(
      place,
      ['mpm_event', 'proxy', 'proxy_fcgi'],
      [
        '<FilesMatch "\\.php$">',
        `SetHandler "proxy:unix:${place.folder}/fpm.sock|fcgi://localhost"`,
        '</FilesMatch>',
      ],
    ),
  ],
  'Apache and mod_php': async (place) => [
    await startApache(
      place,
      ['mpm_prefork'],
      [
        `LoadModule php_module /usr/lib/apache2/modules/libphp${version}.so`,
        '<FilesMatch "\\.php$">',
        'SetHandler application/x-httpd-php',
        '</FilesMatch>',
        `php_admin_value error_log ${place.logFile}`,
      ],
    ),
  ],
}

export interface PhpSite {
  url: string
  /** Returns what the script logged, and forgets it. */
  takeLog: () => string
  stop: () => Promise<void>
}

/** Serves an example of the package. With a program, the example is a part of it. */
export async function startPhpSite(start: Start, example = 'plain', programFile?: string): Promise<PhpSite> {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-php-'))
  // Servers that root starts run as www-data.
  chmodSync(folder, 0o755)
  const site = join(folder, 'site')
  mkdirSync(site)
  requirePackage(site)
  const name = programFile === undefined ? 'index.php' : 'example.php'
  copyFileSync(join(phpPackage, `examples/${example}.php`), join(site, name))
  if (programFile !== undefined) copyFileSync(programFile, join(site, 'index.php'))
  const logFile = join(folder, 'php.log')
  writeFileSync(logFile, '')
  chmodSync(logFile, 0o666)
  const place = { folder, site, port: await freePort(), logFile, dsn: createIds(join(folder, 'ids')) }
  const servers = await start(place)
  return {
    url: `http://127.0.0.1:${place.port}`,
    takeLog() {
      const text = readFileSync(logFile, 'utf8')
      writeFileSync(logFile, '')
      return text
    },
    async stop() {
      for (const server of servers.toReversed()) await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Returns the DSN of a database with an empty table of ids. */
function createIds(folder: string): string {
  mkdirSync(folder)
  const file = join(folder, 'ids.sqlite')
  const database = new DatabaseSync(file)
  database.exec(
    'CREATE TABLE webhook_ids (id varchar(64) PRIMARY KEY, running_until bigint NOT NULL, received_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)',
  )
  database.close()
  chmodSync(folder, 0o777)
  chmodSync(file, 0o666)
  return `sqlite:${file}`
}

async function startFpm({ folder, logFile, dsn }: Place): Promise<ServerProcess> {
  const socket = join(folder, 'fpm.sock')
  const config = join(folder, 'fpm.conf')
  const lines = [
    '[global]',
    `error_log = ${folder}/fpm.log`,
    '[www]',
    ...(isRoot ? ['user = www-data', 'group = www-data'] : []),
    `listen = ${socket}`,
    'listen.mode = 0666',
    'pm = static',
    'pm.max_children = 2',
    `env[HOOKLINE_SECRET] = "${secret}"`,
    `env[DATABASE_DSN] = "${dsn}"`,
    `php_admin_value[error_log] = ${logFile}`,
  ]
  writeFileSync(config, lines.join('\n'))
  return startServer(`php-fpm${version}`, ['--nodaemonize', '--fpm-config', config], socket)
}

const isRoot = process.getuid?.() === 0

async function startNginx({ folder, site, port }: Place): Promise<ServerProcess> {
  const config = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  writeFileSync(
    config,
    `daemon off;
    pid ${folder}/nginx.pid;
    error_log ${folder}/nginx.log;
    events {}
    http {
      access_log off;
      ${temporary}
      server {
        listen 127.0.0.1:${port};
        root ${site};
        location / { try_files $uri /index.php?route=$uri&$args; }
        location ~ \\.php$ {
          include /etc/nginx/fastcgi.conf;
          fastcgi_pass unix:${folder}/fpm.sock;
        }
      }
    }`,
  )
  return startServer('nginx', ['-c', config, '-e', `${folder}/nginx.log`], port)
}

async function startApache(
  { folder, site, port, dsn }: Place,
  modules: readonly string[],
  php: readonly string[],
): Promise<ServerProcess> {
  const config = join(folder, 'apache.conf')
  const common = ['authz_core', 'dir', 'mime', 'env', 'rewrite']
  const lines = [
    ...[...modules, ...common].map(
      (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
    ),
    'ServerName localhost',
    ...(isRoot ? ['User www-data', 'Group www-data'] : []),
    `Listen 127.0.0.1:${port}`,
    `PidFile ${folder}/apache.pid`,
    `DefaultRuntimeDir ${folder}`,
    `ErrorLog ${folder}/apache.log`,
    'TypesConfig /etc/mime.types',
    `DocumentRoot ${site}`,
    'DirectoryIndex index.php',
    `<Directory ${site}>`,
    'Require all granted',
    '</Directory>',
    `SetEnv HOOKLINE_SECRET ${secret}`,
    `SetEnv DATABASE_DSN ${dsn}`,
    'RewriteEngine On',
    'RewriteRule ^/(shop/.*)$ /index.php?route=$1 [QSA,PT,L]',
    ...php,
  ]
  writeFileSync(config, lines.join('\n'))
  return startServer('apache2', ['-D', 'FOREGROUND', '-f', config], port)
}
