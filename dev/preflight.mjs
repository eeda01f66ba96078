// Plain JavaScript, so that a Node.js too old for TypeScript can run it and print the error.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Hookline requires Node.js 24, found ${process.version}. On Linux, "npm ci" installs it. Elsewhere, install Node.js 24 and put it first on PATH.`,
  )
  process.exit(1)
}
