/**
 * The receiver of every contestant: one nginx with one worker process that answers 204 and notes the id and the moment
 * of each request.
 */
import { mkdir, open, writeFile } from 'node:fs/promises'
import { freePort } from '../../../dev/ports.ts'
import { type Arrivals, openArrivals } from './arrivals.ts'
import { startServer } from './servers.ts'
import type { Undo } from '../undo.ts'

/** Webhooks of many customers are on many hosts; all of these are the same nginx. */
export const hosts = 16

export interface Receiver {
  /** On the first host; the last number of the address tells them apart. */
  url: string
  pid: number
  arrivals: Arrivals
}

export async function startReceiver(folder: string, undo: Undo): Promise<Receiver> {
  const home = `${folder}/nginx`
  await mkdir(home)
  const port = await freePort()
  await writeFile(`${home}/nginx.conf`, configuration(home, port))
  const args = ['-p', home, '-c', `${home}/nginx.conf`, '-e', `${home}/error.log`]
  const pid = await startServer('nginx', args, port, 'nginx-light', undo)
  const log = await open(`${home}/arrivals.log`)
  undo.push(() => log.close())
  return { url: `http://127.0.0.1:${port}/`, pid, arrivals: openArrivals(log) }
}

/** A line is written when its buffer is full or 20 ms old; the time in it is that of the request. */
function configuration(home: string, port: number): string {
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
}
`
}
