/** Why a hook cannot be loaded, and how the account can fix it. Pure. */

const hookProblems = {
  filter: 'The filter cannot be read. Change the filter, or save it again.',
  headers: 'The custom headers cannot be decrypted. Enter them again.',
  target_url: 'The URL cannot be read. Enter it again.',
  secret: 'A signing secret cannot be decrypted. Rotate it.',
  settings: 'The settings are from an unknown version. Save the webhook again.',
} as const

export type HookProblem = keyof typeof hookProblems

export const hookProblemNames = Object.keys(hookProblems) as HookProblem[]

/** Describes the problem and says that deliveries are on hold, not lost. */
export function describeProblem(problem: HookProblem): string {
  return `Deliveries are on hold: ${lowerFirst(hookProblems[problem])}`
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}
