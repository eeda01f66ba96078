/**
 * Encrypts (seals) and digests secrets. The keys are random, stored in the database and wrapped by MASTER_KEY. So
 * changing the master key rewraps a few rows and touches no secret.
 * A sealed value is: version (1 byte), key id (4), nonce (12), tag (16), ciphertext. Its context (account and
 * purpose) is authenticated too: a value moved to another account or column does not open.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { OperatorError } from '../model/errors.ts'
import type { VaultKeyStore, WrappedKey } from '../model/vault-key.ts'

export interface Vault {
  seal: (secret: string, context: string) => Buffer
  open: (sealed: Buffer, context: string) => string
  /** A keyed hash, to look up and compare secrets without storing them. */
  digest: (secret: string, context: string) => Buffer
}

interface MasterKeys {
  masterKey: Buffer
  previousMasterKey?: Buffer | undefined
}

const format = 1
const headerBytes = 5
const nonceBytes = 12
const tagBytes = 16

export async function openVault(store: VaultKeyStore, masterKeys: MasterKeys): Promise<Vault> {
  await store.addFirst([newKey('seal', masterKeys.masterKey), newKey('digest', masterKeys.masterKey)])
  const keys = await store.list()
  const unwrapped = await Promise.all(
    keys.map(async (key) => ({
      id: key.id,
      purpose: key.purpose,
      // As a key object: Node takes three times as long with a buffer.
      secret: createSecretKey(await unwrap(key, masterKeys, store)),
    })),
  )
  const sealKeys = new Map(
    unwrapped.filter((key) => key.purpose === 'seal').map((key) => [key.id, key.secret]),
  )
  const digestKey = unwrapped.find((key) => key.purpose === 'digest')?.secret
  const newestId = Math.max(...sealKeys.keys())
  const newestKey = sealKeys.get(newestId)
  if (digestKey === undefined || newestKey === undefined) throw new Error('vault has no keys')

  return {
    seal(secret, context) {
      const header = Buffer.alloc(headerBytes)
      header.writeUInt8(format)
      header.writeUInt32BE(newestId, 1)
      return Buffer.concat([header, encrypt(newestKey, Buffer.from(secret), context)])
    },
    open(sealed, context) {
      const key = sealKeys.get(sealed.readUInt32BE(1))
      if (sealed.readUInt8() !== format || key === undefined)
        throw new Error('sealed value uses an unknown key')
      return decrypt(key, sealed.subarray(headerBytes), context).toString()
    },
    digest(secret, context) {
      return createHmac('sha256', digestKey).update(`${context}\0`).update(secret).digest()
    },
  }
}

function newKey(purpose: string, masterKey: Buffer): Omit<WrappedKey, 'id'> {
  return { purpose, wrapped: encrypt(masterKey, randomBytes(32), wrapContext(purpose)) }
}

async function unwrap(key: WrappedKey, masterKeys: MasterKeys, store: VaultKeyStore): Promise<Buffer> {
  const context = wrapContext(key.purpose)
  const secret = tryDecrypt(masterKeys.masterKey, key.wrapped, context)
  if (secret !== undefined) return secret

  const older = masterKeys.previousMasterKey && tryDecrypt(masterKeys.previousMasterKey, key.wrapped, context)
  if (older === undefined)
    throw new OperatorError(
      'MASTER_KEY does not match this database. Use the key that the database was created with. To change it, set PREVIOUS_MASTER_KEY to the old one.',
    )
  await store.replace({ ...key, wrapped: encrypt(masterKeys.masterKey, older, context) })
  return older
}

function wrapContext(purpose: string): string {
  return `vault:${purpose}`
}

function encrypt(key: Buffer | KeyObject, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

function decrypt(key: Buffer | KeyObject, sealed: Buffer, context: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes)
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}

function tryDecrypt(key: Buffer, sealed: Buffer, context: string): Buffer | undefined {
  try {
    return decrypt(key, sealed, context)
  } catch {
    return undefined
  }
}
