/** Tests sealing without a database: which values open, and how the master key is rotated. */
import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OperatorError } from '../model/errors.ts'
import type { VaultKeyStore, WrappedKey } from '../model/vault-key.ts'
import { openVault } from './vault.ts'

const masterKey = randomBytes(32)

function memoryStore(): VaultKeyStore & { keys: WrappedKey[] } {
  const keys: WrappedKey[] = []
  return {
    keys,
    list: async () => keys.map((key) => ({ ...key })),
    addFirst: async (first) => {
      if (keys.length === 0) keys.push(...first.map((key, at) => ({ ...key, id: at + 1 })))
    },
    replace: async (key) => {
      keys[keys.findIndex(({ id }) => id === key.id)] = key
    },
  }
}

describe('a sealed value', () => {
  test('opens in its context and differs each time', async () => {
    const vault = await openVault(memoryStore(), { masterKey })
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (secret, context) => {
        const sealed = vault.seal(secret, context)
        expect(vault.open(sealed, context)).toBe(secret)
        expect(vault.seal(secret, context).equals(sealed)).toBe(false)
      }),
    )
  })

  test('reveals only the length of its content', async () => {
    const vault = await openVault(memoryStore(), { masterKey })
    const sealed = vault.seal('Authorization: Bearer abc', 'headers:1')
    expect(sealed.toString('latin1')).not.toContain('Bearer')
    // version 1, key id 1, then nonce (12), tag (16) and as many bytes as the secret has
    expect(sealed.subarray(0, 5).toString('hex')).toBe('0100000001')
    expect(sealed).toHaveLength(5 + 12 + 16 + 25)
  })

  test('does not open in another context', async () => {
    const vault = await openVault(memoryStore(), { masterKey })
    const context = fc.string({ unit: 'binary', maxLength: 12 })
    fc.assert(
      fc.property(context, context, (sealContext, other) => {
        fc.pre(sealContext !== other)
        expect(() => vault.open(vault.seal('secret', sealContext), other)).toThrow()
      }),
    )
  })

  test('does not open if any byte is changed', async () => {
    const vault = await openVault(memoryStore(), { masterKey })
    const sealed = vault.seal('secret', 'context')
    const opened = [...sealed.keys()].flatMap((at) =>
      [0x01, 0x80, 0xff].filter((bits) => {
        const changed = Buffer.from(sealed)
        changed.writeUInt8(changed.readUInt8(at) ^ bits, at)
        return opens(() => vault.open(changed, 'context'))
      }),
    )
    expect(opened).toEqual([])
  })

  test('does not open if it is cut or extended', async () => {
    const vault = await openVault(memoryStore(), { masterKey })
    const sealed = vault.seal('secret', 'context')
    const cut = Array.from({ length: sealed.length }, (_, length) => sealed.subarray(0, length))
    const changed = [...cut, Buffer.concat([sealed, Buffer.of(0)])]
    expect(changed.filter((bytes) => opens(() => vault.open(bytes, 'context')))).toEqual([])
  })

  test('does not open in another vault with the same master key', async () => {
    const [one, other] = [
      await openVault(memoryStore(), { masterKey }),
      await openVault(memoryStore(), { masterKey }),
    ]
    expect(() => other.open(one.seal('secret', 'context'), 'context')).toThrow()
  })
})

test('a digest is equal for the same secret and context, and different for any other', async () => {
  const store = memoryStore()
  const vault = await openVault(store, { masterKey })
  const reopened = await openVault(store, { masterKey })
  const otherVault = await openVault(memoryStore(), { masterKey })
  const digest = vault.digest('secret', 'keys').toString('hex')
  expect(digest).toMatch(/^[0-9a-f]{64}$/)
  expect(reopened.digest('secret', 'keys').toString('hex')).toBe(digest)
  const others = [
    vault.digest('secret', 'logins'),
    vault.digest('secret ', 'keys'),
    vault.digest('', 'keyssecret'),
    vault.digest('keys\0secret', ''),
    otherVault.digest('secret', 'keys'),
  ].map((bytes) => bytes.toString('hex'))
  expect(new Set([digest, ...others]).size).toBe(6)
})

test('keys are stored wrapped; neither the master key nor a plain key is stored', async () => {
  const store = memoryStore()
  await openVault(store, { masterKey })
  expect(store.keys.map(({ purpose }) => purpose)).toEqual(['seal', 'digest'])
  // nonce (12), tag (16), key (32)
  expect(store.keys.map(({ wrapped }) => wrapped.length)).toEqual([60, 60])
  expect(store.keys.some(({ wrapped }) => wrapped.includes(masterKey))).toBe(false)
})

describe('the master key', () => {
  test('is named in the error if it is wrong', async () => {
    const store = memoryStore()
    await openVault(store, { masterKey })
    const opening = openVault(store, { masterKey: randomBytes(32) })
    await expect(opening).rejects.toThrow(OperatorError)
    await expect(opening).rejects.toThrow(/MASTER_KEY does not match/)
  })

  test('is named in the error if both the new and the previous one are wrong, and nothing is rewrapped', async () => {
    const store = memoryStore()
    await openVault(store, { masterKey })
    const before = store.keys.map(({ wrapped }) => wrapped.toString('hex'))
    const wrong = { masterKey: randomBytes(32), previousMasterKey: randomBytes(32) }
    await expect(openVault(store, wrong)).rejects.toThrow(/MASTER_KEY does not match/)
    expect(store.keys.map(({ wrapped }) => wrapped.toString('hex'))).toEqual(before)
  })

  test('is rotated with the previous one set; afterwards only the new one opens values', async () => {
    const store = memoryStore()
    const before = await openVault(store, { masterKey })
    const sealed = before.seal('secret', 'context')
    const digest = before.digest('secret', 'keys')
    const changed = { masterKey: randomBytes(32), previousMasterKey: masterKey }

    const during = await openVault(store, changed)
    expect(during.open(sealed, 'context')).toBe('secret')
    const after = await openVault(store, { masterKey: changed.masterKey })
    expect(after.open(sealed, 'context')).toBe('secret')
    expect(after.open(during.seal('newer', 'context'), 'context')).toBe('newer')
    expect(after.digest('secret', 'keys').equals(digest)).toBe(true)
    await expect(openVault(store, { masterKey })).rejects.toThrow(/MASTER_KEY does not match/)
  })

  test('can be used with an unrelated previous one', async () => {
    const store = memoryStore()
    await openVault(store, { masterKey })
    const vault = await openVault(store, { masterKey, previousMasterKey: randomBytes(32) })
    expect(vault.open(vault.seal('secret', 'context'), 'context')).toBe('secret')
  })

  test('is rotated even if the last rotation stopped halfway', async () => {
    const store = memoryStore()
    const sealed = (await openVault(store, { masterKey })).seal('secret', 'context')
    const changed = { masterKey: randomBytes(32), previousMasterKey: masterKey }
    const [sealKey] = structuredClone(store.keys)
    await openVault(store, changed)
    if (sealKey !== undefined) await store.replace({ ...sealKey, wrapped: Buffer.from(sealKey.wrapped) })
    expect((await openVault(store, changed)).open(sealed, 'context')).toBe('secret')
  })
})

function opens(action: () => unknown): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}
