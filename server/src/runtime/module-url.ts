/** Returns the URL of a module by its path without extension. The package has JavaScript, a clone has TypeScript. */
export function moduleUrl(path: string, importer: string): URL {
  return new URL(`${path}${importer.slice(importer.lastIndexOf('.'))}`, importer)
}
