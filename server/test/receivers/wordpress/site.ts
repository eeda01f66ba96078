/** Starts WordPress, as Debian packages it, with its own MariaDB and the example of the PHP package as a plugin. */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../../dev/ports.ts'
import { phpPackage, requirePackage } from '../support/composer.ts'
import { mariaDbClient, startMariaDb } from '../support/mariadb.ts'
import { secret, signingKey } from '../support/requests.ts'
import { startServer, type ServerProcess } from '../support/server-process.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

export interface Site {
  url: string
  /** Turns URLs such as `/wp-json/…` on. Without them, WordPress has `/?rest_route=/…`. */
  usePrettyUrls: () => void
  /** Returns the event that the plugin passed to others, and forgets it. */
  takeEvent: () => unknown
  /** Makes the plugin fail that gets the next event. */
  failNext: () => void
  /** Does what WordPress does daily, after a statement. */
  pruneIds: (sql?: string) => void
  stop: () => Promise<void>
}

export async function startSite(): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-wordpress-'))
  const started: ServerProcess[] = []
  const stop = async () => {
    for (const server of started.toReversed()) await server.stop()
    rmSync(folder, { recursive: true })
  }
  try {
    return { ...(await start(folder, started)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(folder: string, started: ServerProcess[]): Promise<Omit<Site, 'stop'>> {
  const site = join(folder, 'site')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const database = await startMariaDb(folder, 'wordpress')
  started.push(database)
  copyWordPress(site, database.socket)
  php(join(here, 'install.php'), site, url)
  started.push(await startServer('php', ['-S', `127.0.0.1:${port}`, '-t', site], port))

  const eventFile = join(site, 'event.json')
  return {
    url,
    usePrettyUrls: () =>
      php(
        '-r',
        `require '${site}/wp-load.php'; $wp_rewrite->set_permalink_structure('/%postname%/'); flush_rewrite_rules();`,
      ),
    failNext: () => writeFileSync(join(site, 'fail'), ''),
    pruneIds(sql) {
      if (sql !== undefined) mariaDbClient(database.socket, 'wordpress', sql)
      php('-r', `require '${site}/wp-load.php'; do_action('hookline_prune');`)
    },
    takeEvent() {
      if (!existsSync(eventFile)) return undefined
      const event: unknown = JSON.parse(readFileSync(eventFile, 'utf8'))
      rmSync(eventFile)
      return event
    },
  }
}

function php(...args: string[]): void {
  execFileSync('php', args, { stdio: 'pipe' })
}

function copyWordPress(site: string, socket: string): void {
  cpSync('/usr/share/wordpress', site, { recursive: true })
  const plugin = join(site, 'wp-content/plugins/hookline')
  mkdirSync(plugin, { recursive: true })
  copyFileSync(join(phpPackage, 'examples/wordpress.php'), join(plugin, 'wordpress.php'))
  requirePackage(plugin)
  copyFileSync(join(here, 'observer.php'), join(site, 'wp-content/plugins/observer.php'))
  writeFileSync(
    join(site, 'wp-config.php'),
    `<?php
    define('DB_NAME', 'wordpress');
    define('DB_USER', 'root');
    define('DB_PASSWORD', '');
    define('DB_HOST', 'localhost:${socket}');
    define('DB_CHARSET', 'utf8mb4');
    define('DISABLE_WP_CRON', true);
    define('WP_HTTP_BLOCK_EXTERNAL', true);
    define('HOOKLINE_SECRET', '${secret}');
    define('HOOKLINE_SIGNING_KEY', '${signingKey}');
    $table_prefix = 'wp_';
    defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
    require ABSPATH . 'wp-settings.php';`,
  )
}
