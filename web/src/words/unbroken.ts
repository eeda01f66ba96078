/** A figure and its unit stay on one line. */
export function unbroken(sentence: string): string {
  return sentence.replaceAll(/(?<=\d) (?=(ms|s)\b)/g, '\u00a0')
}
