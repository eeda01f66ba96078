/**
 * Starts the receiver that all systems share: one nginx with one worker process. It responds 204 and logs the id and
 * time of each request.
 */
import { mkdir, open, writeFile } from 'node:fs/promises'
import { freePort } from '../../../dev/ports.ts'
import { type Arrivals, openArrivals } from './arrivals.ts'
import { startServer } from '../support/servers.ts'
import type { Cleanup } from '../support/cleanup.ts'

/** Number of addresses. Webhooks of many accounts are on many hosts; here one nginx serves them all. */
export const hosts = 16

export interface Receiver {
  /** URL on the first host. Hosts differ in the last octet of the address. */
  url: string
  pid: number
  arrivals: Arrivals
  /** Accepts everything and logs nothing: a collector of traces. */
  collectorUrl: string
}

export async function startReceiver(folder: string, cleanup: Cleanup): Promise<Receiver> {
  const home = `${folder}/nginx`
  await mkdir(home)
  const port = await freePort()
  const collectorPort = await freePort()
  await writeFile(`${home}/nginx.conf`, configuration(home, port, collectorPort))
  const args = ['-p', home, '-c', `${home}/nginx.conf`, '-e', `${home}/error.log`]
  const pid = await startServer('nginx', args, port, 'nginx-light', cleanup)
  const log = await open(`${home}/arrivals.log`)
  cleanup.push(() => log.close())
  return {
    url: `http://127.0.0.1:${port}/`,
    pid,
    arrivals: openArrivals(log),
    collectorUrl: `http://127.0.0.1:${collectorPort}`,
  }
}

/** Returns the nginx configuration. nginx flushes log lines after 20 ms, but each line has the time of its request. */
function configuration(home: string, port: number, collectorPort: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
worker_processes 1;
pid ${home}/nginx.pid;
error_log ${home}/error.log warn;
events { worker_connections 8192; }
http {
  ${temporary.map((name) => `${name}_temp_path ${home}/${name};`).join(' ')}
  log_format arrival '$http_webhook_id $msec';
  access_log ${home}/arrivals.log arrival buffer=64k flush=20ms;
  keepalive_timeout 1h;
  keepalive_requests 100000000;
  server {
    ${Array.from({ length: hosts }, (_, host) => `listen 127.0.0.${host + 1}:${port} backlog=4096;`).join(' ')}
    location / { return 204; }
  }
  server {
    listen 127.0.0.1:${collectorPort};
    access_log off;
    client_max_body_size 64m;
    location / { return 200; }
  }
}
`
}
