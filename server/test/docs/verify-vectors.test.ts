/** The examples of docs/signatures.md, unmodified, agree with the vectors for receiver libraries. */
import { describe, expect, test, vi } from 'vitest'
import { buildVectors, type Vector } from '../../../dev/vectors.ts'
import { isInstalled, programs, verify, type VerifyInput } from './verify/programs.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** What the examples do not take. */
const notExpressible = /underscores|several secrets|secret of another form/

/**
 * Only `x-signature` is valid: it does not cover the query of a GET and the id, which the page says. A library rejects such
 * requests.
 */
const onlyAccount = new Set([
  'tampered query',
  'empty query',
  'a query with only the account signature',
  'the account signature without webhook-id',
])

/** Which of the two signatures is valid. */
function signaturesOf({ name, secrets, expected }: Vector): [standard: boolean, account: boolean] {
  if (onlyAccount.has(name)) return [false, true]
  if (expected.is_valid) return [secrets.length > 0, true]
  return [expected.is_signed === true, expected.is_signed === true && name !== 'JSON as the query of a GET']
}

function toVerifyInput({ secrets, signing_key: signingKey, url, request }: Vector): VerifyInput {
  const { method, body } = request
  // The programs look headers up by their lowercase names, as the comments of the examples say.
  const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]))
  const content = method === 'GET' ? request.url.slice(request.url.indexOf('?') + 1) : body
  return { secret: secrets[0] ?? '', signingKey, method, url, body, content, headers }
}

/** Compilers are large, so a machine may lack them. CI installs all other languages. */
const compiled = new Set(['Go', 'Java'])

describe.each(Object.keys(programs))('the examples in %s', (language) => {
  test.skipIf(compiled.has(language) && !isInstalled(language))('agree with the vectors', () => {
    const { vectors } = buildVectors(Math.floor(Date.now() / 1_000) - 3)
    const usual = vectors[0]?.now
    // Other clocks are tested with requests of a worker.
    const cases = vectors.filter(({ name, now }) => now === usual && !notExpressible.test(name))
    expect(cases.filter(({ expected }) => expected.is_valid)).toHaveLength(46)
    expect(cases.filter(({ expected }) => !expected.is_valid)).toHaveLength(20)
    const results = verify(language, cases.map(toVerifyInput))
    expect(cases.map(({ name }, index) => [name, results[index]])).toEqual(
      cases.map((vector) => [vector.name, signaturesOf(vector)]),
    )
  })
})
