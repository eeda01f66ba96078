/** Writes a command that can be pasted into a shell. */
export function toShell(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}
