/**
 * Serves the dashboard as built by `npm run build:dashboard`: one page for all paths, and assets with hashed names. All files are
 * read once at startup, with their compressed variants. The content security policy of the page allows only files of this
 * service and styles with a nonce of this response.
 */
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { packageFile } from '../../model/package-files.ts'
import { sendPage } from './html-page.ts'

/** Output folder of the dashboard build. */
export const webFolder = fileURLToPath(packageFile('dashboard/'))

/** Paths of all dashboard pages. A page whose resource does not exist shows its own notice. */
export const pagePaths = [
  '/',
  '/sign-in',
  '/sign-in/sso',
  '/forgot-password',
  '/reset',
  '/verify',
  '/register',
  '/join',
  '/connect/:id',
  '/webhooks',
  '/webhooks/new',
  '/webhooks/test-receiver',
  '/webhooks/:id',
  '/webhooks/:id/edit',
  '/events',
  '/events/:id',
  '/live',
  '/replays',
  '/replays/:id',
  '/keys',
  '/apps',
  '/apps/:id',
  '/account',
  '/account/members',
  '/account/sso',
  '/account/audit',
  '/account/notices',
  '/notices',
  '/guides',
  '/guides/:guide',
  '/guides/payloads',
  '/guides/payloads/:type',
]

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Content codings in order of preference, with their file extensions. */
const codings = [
  { coding: 'br', extension: '.br' },
  { coding: 'gzip', extension: '.gz' },
] as const

interface Asset {
  type: string
  plain: Buffer
  compressed: { coding: string; bytes: Buffer }[]
}

export interface DashboardPages {
  /** Sends the "page not found" page. Returns false if the client does not accept HTML. */
  sendNotFound: (request: FastifyRequest, reply: FastifyReply) => boolean
}

export async function serveDashboard(app: FastifyInstance, folder: string): Promise<DashboardPages> {
  const index = await readFile(`${folder}index.html`, 'utf8').catch(() => undefined)
  const assets = await readAssets(`${folder}assets/`)

  for (const path of pagePaths)
    app.get(path, async (_request, reply) => sendPage(reply, 200, index, pagePolicy))

  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const asset = assets.get(request.params.name)
    return asset === undefined ? reply.callNotFound() : sendAsset(request, reply, asset)
  })

  return {
    sendNotFound(request, reply) {
      if (request.method !== 'GET' || !acceptsHtml(request)) return false
      void sendPage(reply, 404, index, pagePolicy)
      return true
    },
  }
}

function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** Allows permanent caching, because the name of an asset changes with its content. */
function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const accepted = acceptedCodings(request)
  const best = asset.compressed.find(({ coding }) => accepted.has(coding))
  void reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
  if (best !== undefined) void reply.header('content-encoding', best.coding)
  return reply.type(asset.type).send(best?.bytes ?? asset.plain)
}

/** Returns the accepted codings, without those with `q=0`. */
function acceptedCodings(request: FastifyRequest): Set<string> {
  const entries = (request.headers['accept-encoding'] ?? '').toLowerCase().split(',')
  return new Set(
    entries
      .filter((entry) => !/;\s*q=0(\.0+)?\s*$/.test(entry))
      .map((entry) => entry.split(';', 1)[0]?.trim() ?? ''),
  )
}

function acceptsHtml(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html')
}

async function readAssets(folder: string): Promise<Map<string, Asset>> {
  const names = new Set(await readdir(folder).catch(() => []))
  const assets = new Map<string, Asset>()
  for (const name of names) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const compressed = codings.filter(({ extension }) => names.has(name + extension))
    assets.set(name, {
      type,
      plain: await readFile(folder + name),
      compressed: await Promise.all(
        compressed.map(async ({ coding, extension }) => ({
          coding,
          bytes: await readFile(folder + name + extension),
        })),
      ),
    })
  }
  return assets
}
