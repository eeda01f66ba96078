/** Pages of `docs/`, imported as guides. */
declare module '*.md?guide' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an ambient module cannot import a relative path
  const guide: import('./lib/guide.ts').Guide
  export default guide
}
