/**
 * Numbers as people search for them: international, in the national form of the account's country, or only the last
 * digits. Events store them in international form, as digits only.
 */
import { planOf } from './countries.ts'
import { normalizeNumber } from './filter/event-filter.ts'

export interface NumberSearch {
  /** Numbers that match. */
  exact: readonly string[]
  /** Numbers that end with one of these digits match too. */
  endings: readonly string[]
}

/** With fewer digits, too many numbers of an account would match. */
const minEndingDigits = 6
const maxDigits = 32
const separators = /[\s()./-]/g

export function readNumber(input: string, country?: string): NumberSearch {
  const compact = input.replace(separators, '')
  if (/^\+\d+$/.test(compact)) return { exact: [normalizeNumber(compact)], endings: [] }
  if (!/^\d+$/.test(compact) || compact.length > maxDigits)
    return { exact: [normalizeNumber(input)], endings: [] }
  const international = normalizeNumber(compact)
  if (international !== compact) return { exact: [international], endings: endingsOf(compact) }
  const national = country === undefined ? undefined : nationalNumber(compact, country)
  // Without a country, a number in national form ends with its digits after the zero.
  return national === undefined
    ? { exact: [compact], endings: endingsOf(compact, compact.replace(/^0/, '')) }
    : { exact: [compact, national], endings: endingsOf(compact) }
}

function endingsOf(...digits: readonly string[]): string[] {
  return [...new Set(digits)].filter(({ length }) => length >= minEndingDigits)
}

function nationalNumber(digits: string, country: string): string | undefined {
  const plan = planOf(country)
  if (plan === undefined) return undefined
  const { callingCode, trunk } = plan
  return callingCode + (digits.startsWith(trunk) ? digits.slice(trunk.length) : digits)
}

export function matchesNumber({ exact, endings }: NumberSearch, number: string | null): boolean {
  if (number === null) return false
  return exact.includes(number) || endings.some((ending) => number.endsWith(ending))
}
