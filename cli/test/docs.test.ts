/** The commands and options that the documentation names exist. */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { exitCodes } from '../src/errors.ts'
import { createProgram } from '../src/program.ts'

const text = readFileSync('docs/cli.md', 'utf8')

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)]
}

test('commands exist', () => {
  const program = createProgram()
  const named = [...text.matchAll(/\bhookline ([a-z]+)(?: ([a-z]+)\b(?=[ `]))?/g)]
  expect(named.length).toBeGreaterThan(20)
  for (const [, name = '', sub] of named) {
    const command = program.commands.find((candidate) => candidate.name() === name)
    expect(command, name).toBeDefined()
    if (command !== undefined && command.commands.length > 0 && sub !== undefined)
      expect(command.commands.map((candidate) => candidate.name())).toContain(sub)
  }
})

test('options exist', () => {
  const known = new Set(commandsOf(createProgram()).flatMap(({ options }) => options.map(({ long }) => long)))
  const named = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([option]) => option)
  expect(named.filter((option) => option !== '--help' && !known.has(option))).toEqual([])
})

test('exit codes are listed', () => {
  const listed = [...text.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code))
  expect(listed).toEqual([0, ...Object.values(exitCodes)])
})
