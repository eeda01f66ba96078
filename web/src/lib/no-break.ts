/** Keeps a number and its time unit on one line. */
export function noBreak(message: string): string {
  return message.replaceAll(/(?<=\d) (?=(ms|s)\b)/g, '\u00a0')
}
