// Plain JavaScript, so that a Node too old for TypeScript can still run it and be told so.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Hookline needs Node 24, this is ${process.version}. "npm ci" brings Node 24 along on Linux; elsewhere install it and put it first on PATH.`,
  )
  process.exit(1)
}
