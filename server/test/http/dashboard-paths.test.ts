/** The server and the router of the dashboard list the same pages. Otherwise a page works, but with status 404. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pagePaths } from '../../src/http/server/dashboard-files.ts'

test('every page of the router has a path on the server', () => {
  const routes = readFileSync(new URL('../../../web/src/app/routes.tsx', import.meta.url), 'utf8')
  const paths = [...routes.matchAll(/^\s+path: '([^']+)',$/gm)].map(([, path = '']) =>
    path.replaceAll('$', ':'),
  )
  expect(paths.length).toBeGreaterThan(15)
  expect(paths.toSorted()).toEqual(pagePaths.toSorted())
})
