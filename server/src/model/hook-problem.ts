/** Why a hook cannot be loaded, and what its owner can do about it. Pure. */

const hookProblems = {
  filter: 'Its filter cannot be read. Change the filter, or save it again.',
  headers: 'Its custom headers cannot be decrypted. Enter them again.',
  target_url: 'Its URL cannot be read. Enter it again.',
  settings: 'Its settings are of a version that this one does not know. Save it again.',
} as const

export type HookProblem = keyof typeof hookProblems

/** Of a hook that is set aside: what is wrong, and that nothing is lost. */
export function describeProblem(problem: HookProblem): string {
  return `Deliveries are on hold: ${lowerFirst(hookProblems[problem])}`
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}
