/**
 * The developer area as it was built by `npm run build`: one page for all its paths, and its hashed files. Everything is
 * read once at start and sent as it was compressed then. The page's content security policy lets in nothing but our own
 * files and the styles that carry a nonce made for this one answer.
 */
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Where the area is built to. */
export const webFolder = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/** Every path that is a page of the area; what a page does not know about itself it says there. */
const pagePaths = [
  '/',
  '/sign-in',
  '/forgotten',
  '/reset',
  '/verify',
  '/register',
  '/connect/:id',
  '/webhooks',
  '/webhooks/new',
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
  '/account/audit',
]

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** How a file was compressed, best first; the name is both the coding's and the ending's beginning. */
const codings = [
  { coding: 'br', ending: '.br' },
  { coding: 'gzip', ending: '.gz' },
] as const

interface Asset {
  type: string
  plain: Buffer
  compressed: { coding: string; bytes: Buffer }[]
}

export interface Pages {
  /** A page that says that there is nothing, for people; false for whoever did not ask for a page. */
  answerNotFound: (request: FastifyRequest, reply: FastifyReply) => boolean
}

export async function addPages(app: FastifyInstance, folder: string): Promise<Pages> {
  const index = await readFile(`${folder}index.html`, 'utf8').catch(() => undefined)
  const assets = await readAssets(`${folder}assets/`)

  for (const path of pagePaths) app.get(path, async (_request, reply) => sendPage(reply, 200, index))

  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const asset = assets.get(request.params.name)
    return asset === undefined ? reply.callNotFound() : sendAsset(request, reply, asset)
  })

  return {
    answerNotFound(request, reply) {
      if (request.method !== 'GET' || !asksForPage(request)) return false
      void sendPage(reply, 404, index)
      return true
    },
  }
}

const unbuiltPage = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Hookline</title></head>
  <body>
    <h1>The developer area is not built</h1>
    <p>Run <code>npm run build</code>, then start Hookline again. The API works without it; its reference is at <a href="/docs">/docs</a>.</p>
  </body>
</html>
`

function sendPage(reply: FastifyReply, status: number, index: string | undefined): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .status(index === undefined ? 503 : status)
    .headers({ 'cache-control': 'no-store', 'content-security-policy': pagePolicy(nonce) })
    .type('text/html; charset=utf-8')
    .send((index ?? unbuiltPage).replaceAll('%nonce%', nonce))
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

/** The name of a file changes with what is in it, so it may be kept for ever. */
function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const accepted = acceptedCodings(request)
  const best = asset.compressed.find(({ coding }) => accepted.has(coding))
  void reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
  if (best !== undefined) void reply.header('content-encoding', best.coding)
  return reply.type(asset.type).send(best?.bytes ?? asset.plain)
}

/** A coding with `q=0` is refused by name. */
function acceptedCodings(request: FastifyRequest): Set<string> {
  const wishes = (request.headers['accept-encoding'] ?? '').toLowerCase().split(',')
  return new Set(
    wishes
      .filter((wish) => !/;\s*q=0(\.0+)?\s*$/.test(wish))
      .map((wish) => wish.split(';', 1)[0]?.trim() ?? ''),
  )
}

function asksForPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html')
}

async function readAssets(folder: string): Promise<Map<string, Asset>> {
  const names = new Set(await readdir(folder).catch(() => []))
  const assets = new Map<string, Asset>()
  for (const name of names) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const compressed = codings.filter(({ ending }) => names.has(name + ending))
    assets.set(name, {
      type,
      plain: await readFile(folder + name),
      compressed: await Promise.all(
        compressed.map(async ({ coding, ending }) => ({
          coding,
          bytes: await readFile(folder + name + ending),
        })),
      ),
    })
  }
  return assets
}
